/** Uploads of the client recipes: the multipart request, and an upload with progress in a browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFile, multipartOf } from '../../packages/client/src/multipart.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type ServedPage, servePage } from '../support/page.ts';
import type { UploadOrder, UploadOutcome } from '../support/upload-page.ts';

describe('the multipart request of an operation', () => {
  const file = (name: string) => new File([name], name);

  it('finds files in nested inputs and in lists, and replaces them by null', async () => {
    const [one, two, three] = [file('one'), file('two'), file('three')];
    const variables = {
      plain: one,
      input: { inner: { list: [{ file: two }, { file: null }] } },
      files: [three],
    };
    const body = multipartOf({ query: 'mutation', variables });
    expect(JSON.parse(String(body.get('operations')))).toEqual({
      query: 'mutation',
      variables: { plain: null, input: { inner: { list: [{ file: null }, { file: null }] } }, files: [null] },
    });
    expect(JSON.parse(String(body.get('map')))).toEqual({
      0: ['variables.plain'],
      1: ['variables.input.inner.list.0.file'],
      2: ['variables.files.0'],
    });
    expect([...body.keys()]).toEqual(['operations', 'map', '0', '1', '2']);
    for (const [key, sent] of [one, two, three].entries()) expect(body.get(`${key}`)).toEqual(sent);
  });

  it('finds a file in an object of a class, and sends a value as it writes itself', () => {
    class Scan {
      readonly file = file('one');
      readonly at = new Date(0);
    }
    const body = multipartOf({ query: 'mutation', variables: { input: new Scan() } });
    expect(JSON.parse(String(body.get('operations')))).toMatchObject({
      variables: { input: { file: null, at: '1970-01-01T00:00:00.000Z' } },
    });
    expect(JSON.parse(String(body.get('map')))).toEqual({ 0: ['variables.input.file'] });
  });

  it('sends no member that writes itself as nothing', () => {
    const nothing = { toJSON: () => undefined };
    const variables = { input: { file: new Blob([]), nothing } };
    const operations = JSON.parse(multipartOf({ query: 'mutation', variables }).get('operations') as string);
    expect(operations.variables).toEqual({ input: { file: null } });
  });

  it('leaves the variables of the caller unchanged', () => {
    const one = file('one');
    const variables = { input: { file: one } };
    multipartOf({ query: 'mutation', variables });
    expect(variables.input.file).toBe(one);
  });

  it.each([
    ['a file', { input: file('one') }, true],
    ['a Blob in a list', { list: [null, { blob: new Blob(['x']) }] }, true],
    ['no file', { input: { list: [1, 'text', null, { name: 'file' }] } }, false],
    ['no variables', undefined, false],
  ])('detects whether variables contain a file: %s', (_title, variables, expected) => {
    expect(hasFile(variables)).toBe(expected);
  });
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
