/** What a caller gets of a response is what the service sent. */
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { fc } from '../support/fast-check.ts';
import { sendUpload, upload } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { mutationTransports } from '../support/transports.ts';

const { service, gateway } = await gatewayOfService();

const text = anyText(...'"" <b> 1e3 __proto__ 12345678901234567890 ,'.split(' '), 'x'.repeat(900));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 });
const id = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  text.filter((each) => each.trim() !== ''),
);
const written = (value: number | string | null) => (value === null ? null : String(value));
const anyName = fc.oneof(fc.constantFrom('__proto__', 'toString', 'then', 'toJSON', 'id', '1'), text);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((number) => Number(number.toPrecision(15))),
    fc.constantFrom(null, true, false, 0, 1.5, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(anyName, tie('value')), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
  ),
})).value;

/** Numbers beyond 2^53 are strings of their digits. JavaScript writes those from 1e21 on with an exponent. */
const exact = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each) =>
    Number.isInteger(each) && !Number.isSafeInteger(each) && Math.abs(each) < 1e21 ? String(each) : each,
  );

const transports = fc.constantFrom(...Object.values(mutationTransports));
const numRuns = 30;

describe('a caller gets what the service sent', () => {
  it('of a group', async () => {
    const group = fc.record({
      id,
      name: optional(text),
      uid: optional(id),
      queues: fc.array(json, { maxLength: 3 }),
    });
    const query =
      'mutation { result: createGroup(input: {}) { ... on Group { id name ownerId queues { raw } warnings { message } } } }';
    const property = fc.asyncProperty(group, transports, async (createGroup, ask) => {
      service.will(does.json(200, { createGroup }));
      const { data, errors } = await ask(gateway, { query });
      expect(errors).toBeUndefined();
      const queues = createGroup.queues.filter((raw) => raw !== null).map((raw) => ({ raw: exact(raw) }));
      const { name, uid } = createGroup;
      const expected = { id: String(createGroup.id), name, ownerId: written(uid), queues, warnings: [] };
      expect(JSON.stringify(data.result)).toBe(JSON.stringify(expected));
    });
    await fc.assert(property, { numRuns });
  });

  it('of an import', async () => {
    const portalId = fc.oneof(
      fc.integer(),
      fc.string().filter((each) => each.trim() !== ''),
    );
    const members = {
      ...{
        docId: id,
        requestId: optional(id),
        queueId: id,
        docType: optional(text),
        docNumber: optional(id),
      },
      ...{ message: text, trackingUrl: optional(text) },
      govPortal: optional(fc.record({ submissionId: optional(portalId), uuid: optional(portalId) })),
    };
    const query =
      'mutation { result: importMalaysiaInvoice(input: { queueId: "7", invoice: { docType: INVOICE, docNumber: "1", lines: [] } }) { ... on MalaysiaImport { documentId requestId queueId rawDocType docNumber message trackingUrl govPortal { submissionId uuid } } } }';
    const property = fc.asyncProperty(fc.record(members), transports, async (sent, ask) => {
      service.will(does.json(200, sent));
      const { data, errors } = await ask(gateway, { query });
      expect(errors).toBeUndefined();
      const { docId, requestId, queueId, docType, docNumber, message, trackingUrl } = sent;
      const { submissionId = null, uuid = null } = sent.govPortal ?? {};
      const ids = { submissionId: written(submissionId), uuid: written(uuid) };
      const govPortal = submissionId === null && uuid === null ? null : ids;
      expect(data.result).toEqual({
        ...{ documentId: String(docId), requestId: written(requestId), queueId: String(queueId) },
        ...{ rawDocType: docType, docNumber: written(docNumber), message, trackingUrl, govPortal },
      });
    });
    await fc.assert(property, { numRuns });
  });

  it('of a Mexican validation', async () => {
    const step = fc.record({ result: text, detail: optional(text) });
    const members = {
      ...{ documentId: id, uuid: optional(text), validation_result: text, validatedAt: text },
      ...{
        invalid_reason: optional(text),
        steps: fc.dictionary(fc.constantFrom('schema', 'rfc', 'x', '__proto__'), step),
      },
    };
    const query =
      '{ result: mexicoValidation(by: { documentId: "1" }) { documentId rawUuid rawResult rawValidatedAt invalidReason steps { key rawResult detail } } }';
    const property = fc.asyncProperty(fc.record(members), transports, async (sent, ask) => {
      service.will(does.json(200, sent));
      const { data, errors } = await ask(gateway, { query });
      expect(errors).toBeUndefined();
      const { steps, ...result } = data.result;
      expect(result).toEqual({
        ...{ documentId: String(sent.documentId), rawUuid: sent.uuid, rawResult: sent.validation_result },
        ...{ rawValidatedAt: sent.validatedAt, invalidReason: sent.invalid_reason },
      });
      const sentSteps = Object.entries(sent.steps).map(([key, { result: rawResult, detail }]) => ({
        key,
        rawResult,
        detail,
      }));
      const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
      expect(steps.sort(byKey)).toEqual(sentSteps.sort(byKey));
    });
    await fc.assert(property, { numRuns });
  });

  it('of an export', async () => {
    const cell = text.map((each) => each.replaceAll('"', '""'));
    const lines = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    const end = fc.constantFrom('\n', '\r\n');
    const query = (headers: string[]) =>
      `mutation { result: exportDocuments(input: { documentIds: [] }) { ... on ExportResult { csv message columns rowCount rows { ${headers.map((column, index) => `c${index}: value(column: ${JSON.stringify(column)})`).join(' ')} } } } }`;
    const property = fc.asyncProperty(lines, end, text, transports, async (cells, lineEnd, message, ask) => {
      const data = cells.map((line) => line.map((each) => `"${each}"`).join()).join(lineEnd);
      service.will(does.json(200, { exportDocumentByDocIds: { data, message } }));
      const [columns = [], ...rows] = cells.map((line) => line.map((each) => each.replaceAll('""', '"')));
      if (new Set(columns).size < 3 || columns.some((column) => !column.isWellFormed())) return;
      const result = await ask(gateway, { query: query(columns) });
      expect(result.errors).toBeUndefined();
      const found = rows.map((row) =>
        Object.fromEntries(row.map((each, index) => [`c${index}`, each || null])),
      );
      expect(result.data.result).toEqual({ csv: data, message, columns, rowCount: rows.length, rows: found });
    });
    await fc.assert(property, { numRuns });
  });

  it('of a scan', async () => {
    const coordinate = fc
      .double({ noDefaultInfinity: true, noNaN: true, min: -1e6, max: 1e6 })
      .map((n) => n + 0);
    const box = fc.tuple(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate, text, text);
    const page = optional(fc.nat());
    const match = fc.record({ keyword: box, match: text, matchmulti: json, page, value: box });
    const field = fc.record({
      UICategory: text,
      UIName: text,
      UIType: text,
      matches: fc.array(match, { maxLength: 2 }),
    });
    const data = fc.dictionary(fc.oneof(fc.constantFrom('Name', '__proto__', 'constructor'), text), field, {
      maxKeys: 3,
    });
    const boxOf = 'left top right bottom centerX centerY text secondText page';
    const query = `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId status card { fields { key label category type matches { text multi page keywordBox { ${boxOf} } valueBox { ${boxOf} } } } } } } }`;
    const asBox = (
      [left, top, right, bottom, centerX, centerY, text, secondText]: any,
      page: number | null,
    ) => ({
      ...{ left, top, right, bottom, centerX, centerY, text, secondText, page },
    });
    const property = fc.asyncProperty(id, text, data, async (docId, status, fields) => {
      service.will(does.json(200, { scanDocuments: { docId, status, data: fields } }));
      const form = upload(query, { file: null }, 'variables.file', { bytes: 'a', name: 'a.png' });
      const result = await sendUpload(gateway, form);
      expect(result.errors).toBeUndefined();
      const expected = Object.entries(fields).map(([key, { UICategory, UIName, UIType, matches }]) => ({
        ...{ key, label: UIName, category: UICategory, type: UIType },
        matches: matches.map(({ keyword, match, matchmulti, page, value }) => ({
          ...{ text: match, multi: exact(matchmulti ?? null), page },
          ...{ keywordBox: asBox(keyword, page), valueBox: asBox(value, page) },
        })),
      }));
      const scanned = { documentId: String(docId), status, card: { fields: expected } };
      expect(JSON.stringify(result.data.scanIdentityCard)).toBe(JSON.stringify(scanned));
    });
    await fc.assert(property, { numRuns });
  });
});
