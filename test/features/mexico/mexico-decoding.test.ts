/** How Mexican validations are decoded where docs/service.md leaves their form open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftOf } from '../../support/drift.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

describe('mexicoValidation', () => {
  const uuid = 'ABCDEF01-2345-9789-0BCD-EF0123456789';
  const record = {
    ...{ documentId: '1', uuid, validation_result: 'VALID', validatedAt: '2026-01-01T00:00:00Z' },
    ...{ invalid_reason: null, steps: {} },
  };
  const validationOf = async (members: object) => {
    service.will(does.json(200, { ...record, ...members }));
    const { data, errors } = await gateway.ask(
      '{ mexicoValidation(by: { documentId: "1" }) { documentId uuid rawUuid result rawResult invalidReason validatedAt rawValidatedAt steps { name key result detail } } }',
    );
    return errors ? errors[0]?.extensions['code'] : data.mexicoValidation;
  };
  const [pass, fail] = [
    { result: 'PASS', detail: null },
    { result: 'FAIL', detail: 'why' },
  ];

  it.each<[string, unknown, number]>([
    ['null', null, 0],
    ['absent', undefined, 1],
    ['empty', '', 1],
    ['malformed', 'none', 1],
    ['a number', 7, 1],
  ])('returns the reason and steps of an INVALID result whose uuid is %s', async (_what, absent, drift) => {
    const invalid = {
      ...{ uuid: absent, validation_result: 'INVALID', invalid_reason: 'why' },
      steps: { schema: fail },
    };
    const { counted } = await driftOf(gateway, async () => {
      expect(await validationOf(invalid)).toMatchObject({
        ...{ uuid: null, result: 'INVALID', invalidReason: 'why' },
        steps: [{ name: 'SCHEMA', key: 'schema', result: 'FAIL' }],
      });
    });
    expect(counted).toBe(drift);
  });

  it('returns the uuid in the case that the service sends', async () => {
    for (const written of [uuid, uuid.toLowerCase()]) {
      expect(await validationOf({ uuid: written })).toMatchObject({ uuid: written });
    }
  });

  it.each<[string, object, string[]]>([
    [
      'under its placeholder name',
      { rfc: pass, authorityStatus: pass, schema: pass },
      ['SCHEMA schema', 'AUTHORITY_STATUS authorityStatus', 'RFC rfc'],
    ],
    [
      'under any other name',
      { rfc: pass, schema: pass, taxOffice: fail },
      ['SCHEMA schema', 'AUTHORITY_STATUS taxOffice', 'RFC rfc'],
    ],
    [
      'under any other name next to a null under its placeholder name',
      { authorityStatus: null, sat: pass },
      ['AUTHORITY_STATUS sat'],
    ],
    ['as the only step', { estatus: fail }, ['AUTHORITY_STATUS estatus']],
    [
      'next to a member that is not a step',
      { schema: pass, note: 'text', office: pass },
      ['SCHEMA schema', 'AUTHORITY_STATUS office'],
    ],
    [
      'under its placeholder name next to another step',
      { more: pass, authorityStatus: pass },
      ['AUTHORITY_STATUS authorityStatus', 'OTHER more'],
    ],
    [
      'unless two steps have other names',
      { a: pass, schema: pass, b: pass },
      ['SCHEMA schema', 'OTHER a', 'OTHER b'],
    ],
    ['without the step', { schema: pass, rfc: pass }, ['SCHEMA schema', 'RFC rfc']],
  ])(
    'recognizes the step of the authority as neither schema nor rfc: %s',
    async (_where, steps, expected) => {
      const found = (await validationOf({ steps })).steps;
      expect(found.map(({ name, key }: { name: string; key: string }) => `${name} ${key}`)).toEqual(expected);
    },
  );

  it.each([
    ['2026-02-11T09:30:00', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11 09:30:00', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30:00.1234567', '2026-02-11T09:30:00.123Z'],
    ['2026-02-11', '2026-02-11T00:00:00.000Z'],
    ['2026-02-11T09:30:00Z', '2026-02-11T09:30:00.000Z'],
    ['2026-02-11T09:30:00-06:00', '2026-02-11T15:30:00.000Z'],
    ['2026-02-11T09:30:00+0800', '2026-02-11T01:30:00.000Z'],
    ['2026-02-11T09:30:00+08', '2026-02-11T01:30:00.000Z'],
    ['2028-02-29T23:59:59.999', '2028-02-29T23:59:59.999Z'],
    ['20260211T093000Z', '2026-02-11T09:30:00.000Z'],
    ['20260211T0930-0600', '2026-02-11T15:30:00.000Z'],
    ['20260211', '2026-02-11T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ])('reads validatedAt %s as %s', async (validatedAt, expected) => {
    expect(await validationOf({ validatedAt })).toMatchObject({ validatedAt: expected });
  });

  it.each([
    '2026-02-31T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-04-00',
    '2026-04-31',
    '2026-0411',
    '',
    'soon',
    '11/02/2026',
    null,
    true,
    {},
  ])('returns the validation with its text when validatedAt is %j', async (validatedAt) => {
    const rawValidatedAt =
      validatedAt === true || typeof validatedAt === 'string' ? String(validatedAt) : null;
    expect(await validationOf({ validatedAt })).toMatchObject({
      result: 'VALID',
      validatedAt: null,
      rawValidatedAt,
    });
  });

  it('returns the id that was asked for when the service sends none', async () => {
    for (const documentId of [undefined, null, {}]) {
      expect(await validationOf({ documentId })).toMatchObject({ documentId: '1', result: 'VALID' });
    }
  });

  it('returns a uuid of another form as rawUuid', async () => {
    const rawUuid = uuid.replaceAll('-', '');
    expect(await validationOf({ uuid: rawUuid })).toMatchObject({ uuid: null, rawUuid });
    expect(await validationOf({ uuid })).toMatchObject({ uuid, rawUuid: uuid });
  });

  it('never reads a result that is missing or no text as VALID', async () => {
    const results = { INVALIDO: 'INVALIDO', true: true, '': null } as const;
    for (const [rawResult, sent] of Object.entries(results)) {
      expect(await validationOf({ validation_result: sent })).toMatchObject({ result: 'UNKNOWN', rawResult });
    }
  });

  it('joins a list of reasons and a list of details', async () => {
    const steps = { schema: { result: 'FAIL', detail: ['line 1', 'line 2'] } };
    expect(await validationOf({ invalid_reason: ['a', 'b'], steps })).toMatchObject({
      invalidReason: 'a; b',
      steps: [{ detail: 'line 1; line 2' }],
    });
  });

  it('has the texts of objects in place of a reason and of details', async () => {
    const steps = { schema: { result: 'FAIL', detail: [{ message: 'line 1' }, 'line 2'] } };
    expect(await validationOf({ invalid_reason: { message: 'a' }, steps })).toMatchObject({
      invalidReason: 'a',
      steps: [{ detail: 'line 1; line 2' }],
    });
  });

  it.each([{ data: record }, { data: [record] }, [record]])('is read in an envelope: %j', async (body) => {
    service.will(does.json(200, body));
    const { data } = await gateway.ask('{ mexicoValidation(by: { documentId: "1" }) { result } }');
    expect(data.mexicoValidation).toEqual({ result: 'VALID' });
  });

  it('is UPSTREAM_BAD_RESPONSE when the response has no member of a validation', async () => {
    service.will(does.json(200, { documentId: '1', uuid }));
    const { errors } = await gateway.ask('{ mexicoValidation(by: { documentId: "1" }) { result } }');
    expect(errors?.[0]?.extensions['code']).toBe('UPSTREAM_BAD_RESPONSE');
  });
});
