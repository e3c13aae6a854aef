/** Uploads of the client recipes: the multipart request, and an upload with progress in a browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFile, multipartOf } from '../../packages/client/src/multipart.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { fc } from '../support/fast-check.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type ServedPage, servePage } from '../support/page.ts';
import type { UploadOrder, UploadOutcome } from '../support/upload-page.ts';

/** Files, lists, objects of classes, and values that write themselves as JSON or as nothing. Frozen. */
const { value: anyValue } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('text', 7, null, undefined, new Date(0), { toJSON: () => undefined }),
    fc.nat(99).map((name) => new File([`${name}`], `${name}.png`)),
    fc.constant(new Blob(['x'])),
    fc.array(tie('value'), { maxLength: 4 }).map(Object.freeze),
    tie('object').map(Object.freeze),
    tie('object').map((members) => Object.freeze(Object.assign(new (class Scan {})(), members))),
  ),
  object: fc.dictionary(fc.constantFrom('input', 'file', 'list', 'note'), tie('value')),
}));

it('the multipart request of an operation has each file of its variables, with its path, and null in its place', () => {
  let sentFiles = 0;
  const property = fc.property(anyValue, (variables) => {
    const body = multipartOf({ query: 'mutation', variables });
    const files: (File | Blob)[] = [];
    const sent = JSON.stringify({ query: 'mutation', variables }, (_name, value) => {
      if (!(value instanceof Blob)) return value;
      files.push(value);
      return null;
    });
    expect(JSON.parse(String(body.get('operations')))).toEqual(JSON.parse(sent));
    const paths = Object.values<[string]>(JSON.parse(String(body.get('map'))));
    const found = paths.map(([path]) =>
      path.split('.').reduce((value: any, name) => value[name], { variables }),
    );
    expect(found.every((file, at) => file === files[at])).toBe(true);
    expect([...body.keys()]).toEqual(['operations', 'map', ...files.map((_, at) => `${at}`)]);
    for (const [at, file] of files.entries())
      expect(body.get(`${at}`)).toMatchObject({
        size: file.size,
        name: file instanceof File ? file.name : 'blob',
      });
    expect(hasFile(variables)).toBe(files.length > 0);
    sentFiles += files.length;
  });
  fc.assert(property);
  expect(sentFiles).toBeGreaterThan(100);
});

describe.skipIf(!hasBrowser())('an upload from a page of another origin', () => {
  const sizeBytes = 64 * 1024 * 1024;
  let gateway: TestGateway;
  let browser: Browser;
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage('test/support/upload-page.ts');
    gateway = await startTestGateway({ CORS_ORIGINS: served.origin });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await gateway?.close();
  });

  it.each(['urql', 'apollo'] as const)(
    'reports its progress and returns the values read (%s)',
    async (client) => {
      const page = await browser.newPage();
      await page.goto(served.origin);
      await page.waitForFunction('globalThis.upload');
      const order: UploadOrder = { client, gatewayUrl: gateway.url, sizeBytes };
      const { data, error, progress } = await page.evaluate<UploadOutcome>(
        `globalThis.upload(${JSON.stringify(order)})`,
      );
      await page.close();
      expect(error).toBeUndefined();
      expect(data.scanIdentityCard).toMatchObject({ __typename: 'ScanResult', status: 'COMPLETED' });
      const sent = progress.map(([bytes]) => bytes);
      expect(sent.length).toBeGreaterThan(1);
      expect(sent).toEqual(sent.toSorted((one, other) => one - other));
      for (const [, total] of progress) expect(total).toBeGreaterThan(sizeBytes);
      expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
    },
  );
});
