/**
 * Searches for the operation with the largest result: lists, aliases, fragments and long strings over every field of the
 * schema, with a service that sends large responses. The limits count, they do not measure time.
 */

import { expect, it } from 'vitest';
import { resultLimit } from '../../src/operation/result-limit.ts';
import { costlyOperation } from '../support/costly-operation.ts';
import { fc } from '../support/fast-check.ts';
import { post } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import { Random } from '../support/random.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService();

/** A response of any length that is valid for every endpoint. */
function response(random: Random): does.Behaviour {
  const long = random.pick(['m', '漢', '\n']).repeat(random.pick([1, 1_000, 50_000]));
  const rows = `"${random.pick(['cell', 'c'.repeat(100)])}"\n`.repeat(random.pick([1, 1_000, 3_000]));
  const raw = { id: 1, list: Array(random.pick([1, 1_000, 10_000])).fill(1), long };
  return does.json(random.pick([200, 200, 200, 400]), {
    createGroup: { id: 7, name: long, queues: Array(random.pick([0, 1, 5])).fill(raw) },
    exportDocumentByDocIds: { data: `"Name"\n${rows}`, message: long },
    createXmlDocument: { requestId: 'r', message: long },
    docId: 1,
    documentId: '1',
    uuid: '6f0e9a41-5d1f-4f0b-9b47-111111111111',
    validation_result: 'VALID',
    validatedAt: '2031-04-09T08:30:00.000Z',
    steps: Object.fromEntries(
      Array.from({ length: random.pick([0, 3, 300]) }, (_, index) => [
        `s${index}`,
        { result: 'PASS', detail: 'd' },
      ]),
    ),
    status: 'validated',
    message: long,
  });
}

interface Measured {
  values: number;
  longest: number;
}

/** Fields and list members, and the longest string as JSON. */
function measure(json: unknown, measured: Measured = { values: 0, longest: 0 }): Measured {
  if (typeof json === 'string') {
    measured.longest = Math.max(measured.longest, Buffer.byteLength(JSON.stringify(json)));
  } else if (typeof json === 'object' && json !== null) {
    for (const member of Object.values(json)) {
      measured.values += 1;
      measure(member, measured);
    }
  }
  return measured;
}

it('no operation that the gateway accepts has a result above the limit', async () => {
  const seen = { refused: 0, given: 0, mostValues: 0, mostBytes: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(seed);
      service.will(response(random));
      const body = JSON.stringify(costlyOperation(random));
      const written = await (await post(gateway, body)).text();
      const { data, errors = [] } = JSON.parse(written) as { data?: unknown; errors?: any[] };
      // A mutation continues with a part of the limit when a part of its result was dropped.
      const times = body.includes('"query":"mutation') ? 2 : 1;
      const codes = errors.map(({ extensions }) => extensions.code);
      expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
      expect(codes).not.toContain('GRAPHQL_VALIDATION_FAILED');
      const { values, longest } = measure(data);
      const bytes = Buffer.byteLength(written) - longest;
      expect(values + 100 * errors.length).toBeLessThanOrEqual(times * resultLimit.maxValues + 100);
      // Short strings count as 1 byte a character and may take 6.
      expect(bytes).toBeLessThanOrEqual(times * 2 * resultLimit.maxBytes);
      if (codes.includes('OPERATION_TOO_EXPENSIVE')) seen.refused += 1;
      else seen.given += 1;
      seen.mostValues = Math.max(seen.mostValues, values);
      seen.mostBytes = Math.max(seen.mostBytes, bytes);
    }),
    { seed: 1_207, numRuns: Number(process.env['FOLIO_WORST_CASES'] ?? 40) },
  );
  // Check that the search reaches the limit, and stays below it too.
  expect(seen.refused).toBeGreaterThan(5);
  expect(seen.given).toBeGreaterThan(10);
  expect(seen.mostValues).toBeGreaterThan(resultLimit.maxValues / 4);
  expect(seen.mostBytes).toBeGreaterThan(resultLimit.maxBytes / 8);
});
