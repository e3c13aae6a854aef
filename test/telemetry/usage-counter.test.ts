/** How much each application is used, by client and by manifest, with labels that no caller can multiply. */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { alice, bob, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile, temporaryFolder } from '../support/lifetimes.ts';
import { samplesOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const limits = 'query Limits { gatewayInfo { limits { maxBatchSize } } }';
const rules = 'query Rules { gatewayInfo { rules { rule } } }';
const create = 'mutation { createGroup(input: {}) { __typename } }';

const service = await serviceForFile(does.json(200, { createGroup: { id: 7 } }));
let gateway: TestGateway;

/** Starts the gateway with these manifests by file name. Each has the operations and, where given, further members. */
async function start(manifests: Record<string, [texts: readonly string[], members?: object]> = {}) {
  const folder = temporaryFolder();
  const files = Object.entries(manifests).map(([name, [texts, members]]) => {
    const entryOf = (text: string) => (members ? { name: text.split(' ')[1], document: text } : text);
    const operations = Object.fromEntries(texts.map((text) => [hash('sha256', text), entryOf(text)]));
    const manifest = members ? { version: 1, ...members, operations } : operations;
    writeFileSync(join(folder, name), JSON.stringify(manifest));
    return join(folder, name);
  });
  gateway = forTest(
    await startTestGateway({ UPSTREAM_URL: service.url, PERSISTED_OPERATIONS: files.join(',') }),
  );
}

const ask = (query: string, name = '', version = '', credentials = alice) => {
  const application = { 'x-graphql-client-name': name, 'x-graphql-client-version': version };
  return gateway.ask(query, {}, { ...credentials, ...application });
};

const samples = (name: string) => samplesOf(`${gateway.origin}/metrics`, `folio_${name}_operations_total`);

describe('operations by client', () => {
  it('are counted under the names that a manifest brings, and others as other', async () => {
    await start({
      'ios@2.3.1.json': [[limits]],
      'web.json': [[limits], { application: { name: 'folio web', version: '7' } }],
    });
    await ask(rules, 'ios', '2.3.1');
    await ask(rules, 'folio web', '7');
    await ask(rules, 'web');
    await ask(rules, 'ios', '9');
    await ask(rules);
    expect(await samples('client')).toEqual({
      '{client="ios",version="2.3.1"}': 1,
      '{client="folio web",version="7"}': 1,
      '{client="other",version=""}': 2,
    });
  });

  it('are counted under the names of accepted callers, and not of callers whom the service refused', async () => {
    await start();
    service.will(does.json(401, {}), does.json(200, { createGroup: { id: 7 } }));
    await ask(create, 'invented', '1', bob);
    await ask(create, 'ios', '2', alice);
    await ask(limits, 'ios', '2', bob);
    expect(await samples('client')).toEqual({
      '{client="other",version=""}': 1,
      '{client="ios",version="2"}': 2,
    });
  });

  it('have at most 25 names of one accepted caller, however many it sends', async () => {
    await start();
    await ask(create);
    for (let name = 0; name < 40; name += 1) await ask(limits, `invented-${name}`, '1');
    const counted = await samples('client');
    expect(Object.keys(counted)).toHaveLength(26);
    expect(counted['{client="other",version=""}']).toBe(15);
    await ask(create, '', '', bob);
    await ask(limits, 'ios', '2', bob);
    expect((await samples('client'))['{client="ios",version="2"}']).toBe(1);
  });
});

describe('operations by manifest', () => {
  beforeEach(() =>
    start({ 'ios@2.3.1.json': [[limits]], 'ios-2.4.0.json': [[limits, rules]], 'web.json': [[limits]] }),
  );

  it('are counted for the manifest of the application that the client names, and for none without them', async () => {
    await ask(limits, 'ios', '2.4.0');
    await ask(limits, 'web', '1');
    await ask(create, 'ios', '2.4.0');
    expect(await samples('manifest')).toEqual({ '{manifest="ios@2.4.0"}': 1, '{manifest="web"}': 1 });
  });

  it('are counted for all manifests that have them when the client names none of these', async () => {
    await ask(limits);
    await ask(rules, 'android', '1');
    expect(await samples('manifest')).toEqual({
      '{manifest="ios@2.3.1"}': 1,
      '{manifest="ios@2.4.0"}': 2,
      '{manifest="web"}': 1,
    });
  });
});
