/** How Mexican validations are decoded where docs/service.md leaves their form open. */
import { describe, expect, it } from 'vitest';
import { gatewayOfService } from '../../support/lifetimes.ts';
import { driftOf } from '../../support/metric.ts';
import * as does from '../../support/service.ts';

const { service, gateway } = await gatewayOfService();

describe('mexicoValidation', () => {
  const uuid = 'ABCDEF01-2345-9789-0BCD-EF0123456789';
  const record = {
    ...{ documentId: '1', uuid, validation_result: 'VALID', validatedAt: '2026-01-01T00:00:00Z' },
    ...{ invalid_reason: null, steps: {} },
  };
  const validationIn = async (body: object) => {
    service.will(does.json(200, body));
    const { data, errors } = await gateway.ask(
      '{ mexicoValidation(by: { documentId: "1" }) { documentId uuid rawUuid result rawResult invalidReason validatedAt rawValidatedAt steps { name key result rawResult detail } } }',
    );
    return errors ? errors[0]?.extensions['code'] : data.mexicoValidation;
  };
  const validationOf = (members: object) => validationIn({ ...record, ...members });
  const pass = { result: 'PASS', detail: null };
  const fail = { result: 'FAIL', detail: 'why' };

  it.each<[unknown, object, number]>([
    [null, { uuid: null, rawUuid: null }, 0],
    [undefined, { uuid: null }, 1],
    [uuid.replaceAll('-', ''), { uuid: null, rawUuid: uuid.replaceAll('-', '') }, 1],
    [uuid, { uuid, rawUuid: uuid }, 0],
  ])('with the uuid %j has its reason and steps', async (sent, uuids, drift) => {
    const invalid = { validation_result: 'INVALID', invalid_reason: 'why', steps: { schema: fail } };
    const steps = [{ name: 'SCHEMA', key: 'schema', result: 'FAIL', detail: 'why' }];
    const validatedAt = '2026-01-01T00:00:00.000Z';
    const expected = { ...uuids, result: 'INVALID', invalidReason: 'why', validatedAt, steps };
    const { counted, result } = await driftOf(gateway, () => validationOf({ ...invalid, uuid: sent }));
    expect(result).toMatchObject(expected);
    expect(counted).toBe(drift);
  });

  it.each<[object, string[]]>([
    [
      { rfc: pass, authorityStatus: pass, schema: pass },
      ['SCHEMA schema', 'AUTHORITY_STATUS authorityStatus', 'RFC rfc'],
    ],
    [{ rfc: pass, schema: pass, office: fail }, ['SCHEMA schema', 'AUTHORITY_STATUS office', 'RFC rfc']],
    [{ estatus: fail }, ['AUTHORITY_STATUS estatus']],
    [{ Schema: pass, estatus: fail }, ['SCHEMA Schema', 'AUTHORITY_STATUS estatus']],
    [{ RFC: fail }, ['RFC RFC']],
    [[{ schema: pass, rfc: [fail] }], ['SCHEMA schema', 'RFC rfc']],
    [{ schema: pass, note: 'text', office: pass }, ['SCHEMA schema', 'AUTHORITY_STATUS office']],
    [{ more: pass, authorityStatus: pass }, ['AUTHORITY_STATUS authorityStatus', 'OTHER more']],
  ])(
    'recognizes the step of the authority by its name, or as the only unknown one: %j',
    async (steps, expected) => {
      const found = (await validationOf({ steps })).steps;
      expect(found.map(({ name, key }: { name: string; key: string }) => `${name} ${key}`)).toEqual(expected);
    },
  );

  it.each([
    [{ schema: null }, ['mistyped-member validation.steps.schema']],
    [{ authorityStatus: null }, ['mistyped-member validation.steps.authorityStatus']],
  ])('without the steps that are null, which are drift: %j', async (steps, drift) => {
    const { logged } = await driftOf(gateway, () => validationOf({ steps }));
    expect(logged).toEqual(drift);
  });

  it.each(['2026-02-31T00:00:00Z', '', null, true, {}])(
    'returns the validation with its text when validatedAt is %j',
    async (validatedAt) => {
      const isText = validatedAt === true || typeof validatedAt === 'string';
      expect(await validationOf({ validatedAt })).toMatchObject({
        result: 'VALID',
        validatedAt: null,
        rawValidatedAt: isText ? String(validatedAt) : null,
      });
    },
  );

  it('returns the id that was asked for when the service sends none', async () => {
    for (const documentId of [undefined, null, {}]) {
      expect(await validationOf({ documentId })).toMatchObject({ documentId: '1', result: 'VALID' });
    }
  });

  it.each<[unknown, string]>([
    ['INVALIDO', 'INVALIDO'],
    [true, 'true'],
    [1, '1'],
    [null, ''],
  ])(
    'never reads the result %j, of the document or of a step, as VALID or PASS, and keeps it',
    async (result, rawResult) => {
      const steps = { schema: { result, detail: null } };
      const unknown = { result: 'UNKNOWN', rawResult };
      expect(await validationOf({ validation_result: result, steps })).toMatchObject({
        ...unknown,
        steps: [unknown],
      });
    },
  );

  it.each([
    [[{ message: 'a' }, 'b'], 'a; b'],
    [205, '205'],
    [[{ message: 7 }, ['c']], '{"message":7}; ["c"]'],
    ['', ''],
    [[], null],
    [null, null],
  ])(
    'joins the texts of a reason and of a detail, and keeps those of another type: %j',
    async (sent, text) => {
      const steps = { schema: { result: 'FAIL', detail: sent } };
      expect(await validationOf({ invalid_reason: sent, steps })).toMatchObject({
        invalidReason: text,
        steps: [{ detail: text }],
      });
    },
  );

  it.each([{ data: record }, { data: [record] }, [record]])('is read in an envelope: %j', async (body) => {
    expect(await validationIn(body)).toMatchObject({ result: 'VALID' });
  });

  it('is NOT_FOUND, and not null, when only the body of the response has 404', async () => {
    expect(await validationIn({ statusCode: 404 })).toBe('NOT_FOUND');
  });

  it('is UPSTREAM_BAD_RESPONSE when the response has no member of a validation', async () => {
    expect(await validationIn({ documentId: '1', uuid })).toBe('UPSTREAM_BAD_RESPONSE');
  });
});
