/** Large inputs that arrive at the same time. */
import { afterEach, expect, it, vi } from 'vitest';
import { ownTurn } from '../../src/tools/own-turn.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

/** Counts the turns of the event loop. */
function turns() {
  let turn = 0;
  const timer = { next: setImmediate(count) };
  function count() {
    turn += 1;
    timer.next = setImmediate(count);
  }
  return { now: () => turn, stop: () => clearImmediate(timer.next) };
}

it('many calls at the same time resolve in separate turns of the event loop, in their order', async () => {
  const { now, stop } = turns();
  const resolved = await Promise.all(Array.from({ length: 50 }, () => ownTurn().then(now)));
  stop();
  expect(new Set(resolved).size).toBe(50);
  expect(resolved).toEqual(resolved.toSorted((one, other) => one - other));
});

it('bodies of 1 MB that arrive at the same time are parsed and checked in separate turns', async () => {
  const service = forTest(await does.startService(does.json(200, { createXmlDocument: { requestId: '1' } })));
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const children = '<EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/>';
  const xml = `<EInvoice><Header>${'<a/>'.repeat(250_000)}</Header>${children}</EInvoice>`;
  const query =
    'mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { __typename } }';
  const { now, stop } = turns();
  const large: number[] = [];
  const { parse } = JSON;
  const { decode } = TextDecoder.prototype;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, ...rest) => {
    if (text.length > 500_000) large.push(now());
    return parse(text, ...rest);
  });
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, bytes, options) {
    if ((bytes?.byteLength ?? 0) > 500_000) large.push(now());
    return decode.call(this, bytes, options);
  });
  const results = await Promise.all(Array.from({ length: 6 }, () => gateway.ask(query, { xml })));
  stop();
  for (const { data } of results) expect(data.createFapiao.__typename).toBe('FapiaoRequest');
  expect(large).toHaveLength(12);
  expect(new Set(large).size).toBe(12);
});
