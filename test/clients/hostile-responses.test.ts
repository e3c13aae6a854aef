/** The clients of `packages/client` behind a proxy that answers for the gateway, cuts responses, or sends anything. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApolloClient } from '../../packages/client/src/apollo.ts';
import { fetchWithProgress } from '../../packages/client/src/fetch-with-progress.ts';
import { createFolio } from '../../packages/client/src/folio.ts';
import {
  CreateGroupDocument,
  ImportMalaysiaInvoicesDocument,
  MexicoValidationDocument,
  ScanIdentityCardDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { sendList } from '../../packages/client/src/list-of-writes.ts';
import { messageOf } from '../../packages/client/src/message.ts';
import { createRequest, type Request } from '../../packages/client/src/request.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { settle } from '../../packages/client/src/settle.ts';
import { createUrqlClient } from '../../packages/client/src/urql.ts';
import { createWrites } from '../../packages/client/src/writes.ts';
import { fc } from '../support/fast-check.ts';
import { serviceForFile } from '../support/lifetimes.ts';
import { anImport, recipes, shortenBackOffs } from '../support/recipe-clients.ts';
import {
  type Behaviour,
  brokenGzip,
  endWithoutResponse,
  hang,
  htmlPage,
  json,
  reset,
  resetAfterHeaders,
  text,
  truncate,
} from '../support/service.ts';

/** What answers instead of the gateway. */
const proxy = await serviceForFile();
/** Where the proxy redirects to. No credentials may reach it. */
const elsewhere = await serviceForFile(json(200, { data: { createGroup: null } }));
const session = () => createSession('key', 'token');
const isJson = { 'content-type': 'application/json' };
/** The input of a write with a key. */
const keyed = { name: 'Kad', idempotencyKey: 'order-4711' };

beforeEach(shortenBackOffs);
afterEach(() => {
  expect(elsewhere.received.splice(0)).toEqual([]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const notOfTheGateway = [
  ['no bytes', endWithoutResponse],
  ['a reset connection', reset],
  ['a reset after the headers', resetAfterHeaders],
  ['a body that is cut', truncate],
  ['JSON that is cut', text(200, '{"data":{"createGroup":{"__typename":"Group"', isJson)],
  ['broken gzip', brokenGzip],
  ['an empty body', text(200, '', isJson)],
  ['no content', text(204, '')],
  ['a page with 502', htmlPage(502)],
  ['a page with 200', htmlPage(200)],
  ['the JSON of a proxy with 503', json(503, { message: 'no healthy upstream' })],
  ['the errors of a proxy with 503', json(503, { errors: [{ message: 'no healthy upstream' }] })],
  ['the JSON of a proxy with 200', json(200, { message: 'Service Unavailable' })],
  ['a redirect', text(307, '', { location: elsewhere.url })],
  ['a list', json(200, [{ data: { createGroup: null } }])],
  ['null', json(200, null)],
  ['a text', json(200, 'Bad gateway')],
] as const;

it('urql and Apollo Client report the address and the status of a response that is not of the gateway', async () => {
  const message = `The response of ${proxy.url}/ with status 502 is not a GraphQL response: check the address of the gateway.`;
  const input = { name: 'Kad' };
  proxy.will(htmlPage(502), htmlPage(502));
  const written = await createUrqlClient(proxy.url, session()).mutation(CreateGroupDocument, { input });
  expect(written.error).toMatchObject({ networkError: { message }, response: { status: 502 } });
  const apollo = createApolloClient(proxy.url, session());
  const { error } = await apollo.mutate({ mutation: CreateGroupDocument, variables: { input } });
  expect(error).toMatchObject({ message, cause: { status: 502 } });
});

/** Of the gateway. */
const refusal = (code: string, extensions: object = {}) =>
  json(200, {
    data: null,
    errors: [{ message: 'm', extensions: { code, retryable: false, sideEffect: 'NONE', ...extensions } }],
  });

/** All clients read a response with the same code: one is given each, the others some. */
const someNotOfTheGateway = notOfTheGateway.filter(([title]) =>
  /reset connection|page with 200|a list/.test(title),
);

describe.each(recipes)('the recipe for %s', (name, createTestClient) => {
  it.each(name === 'TanStack Query' ? notOfTheGateway : someNotOfTheGateway)(
    'takes %s for a lost response: repeats a write with a key, also one with a file, and reports one without',
    async (_title, answer) => {
      const client = createTestClient(proxy.url, session());
      const file = { file: new File(['card'], 'card.png'), queueId: '7', idempotencyKey: 'order-4712' };
      const lost = async (
        document: typeof CreateGroupDocument | typeof ScanIdentityCardDocument,
        input: object,
      ) => {
        proxy.received.length = 0;
        proxy.will(answer, refusal('FORBIDDEN', { upstream: {} }));
        const { codes } = await client.mutate(document, { input });
        return [...codes, proxy.received.length];
      };
      expect(await lost(CreateGroupDocument, keyed)).toEqual(['FORBIDDEN', 2]);
      expect(await lost(ScanIdentityCardDocument, file)).toEqual(['FORBIDDEN', 2]);
      expect(await lost(CreateGroupDocument, {})).toEqual(['LOST', 1]);
    },
  );
});

describe.each(recipes)(
  'the recipe for %s behind a router with errors of its own',
  (_name, createTestClient) => {
    const open = () => createTestClient(proxy.url, session());
    const read = () => open().query(MexicoValidationDocument, { by: { documentId: '1' } });
    const write = () => open().mutate(CreateGroupDocument, { input: { name: 'Kad' } });
    const unread = { createdAt: null, ownerId: null, queueCount: null };
    const group = { __typename: 'Group', id: '7', name: 'Kad', ...unread, queues: [], warnings: [] };

    it.each([
      [{ code: 'GATEWAY_TIMEOUT' }, 'The request was refused. Nothing was done.'],
      [{}, 'The connection was lost. You can try again.'],
    ])('says of no read that it may have been done: %o', async (extensions, words) => {
      proxy.will(json(200, { data: null, errors: [{ message: 'm', extensions }] }));
      expect(messageOf((await read()).errors)).toBe(words);
      const written = await write();
      expect(messageOf(written.errors)).toMatch(/It may have been done|It is not known whether it was done/);
    });

    it('says of a read without a response that nothing was changed', async () => {
      // The time in which it is sent again passes at once.
      let laterMs = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => {
        laterMs += 31_000;
        return laterMs;
      });
      proxy.will(reset);
      expect(messageOf((await read()).failure)).toBe('The connection was lost. You can try again.');
    });

    it('keeps what a response says next to an error that is not an object', async () => {
      proxy.will(json(200, { data: { createGroup: group }, errors: [null] }));
      const written = await write();
      expect(written).toMatchObject({ data: { createGroup: group }, codes: ['undefined'] });
      expect(proxy.received).toHaveLength(1);
    });

    it('takes such an error for a failure, and not for a lost response', async () => {
      proxy.will(json(200, { data: { mexicoValidation: null }, errors: [null] }));
      expect(await read()).toMatchObject({ errors: [{ message: expect.stringMatching(/not an object/) }] });
      expect(proxy.received).toHaveLength(1);
    });

    it('takes `errors: null` for none', async () => {
      proxy.will(json(200, { data: { createGroup: group }, errors: null }));
      expect(await write()).toMatchObject({ data: { createGroup: group }, codes: [] });
    });
  },
);

describe.each(recipes)('a list of writes over the recipe for %s', (_name, createTestClient) => {
  it('says of no member that it was not done after a lost response', async () => {
    const path = ['importMalaysiaInvoices', 1];
    const extensions = { code: 'RATE_LIMITED', retryable: true, sideEffect: 'NONE' };
    const refused = { __typename: 'InvalidInput', message: 'm', problems: [] };
    const body = {
      data: { importMalaysiaInvoices: [refused, null] },
      errors: [{ message: 'Nothing was sent.', path, extensions }],
    };
    proxy.will(reset, json(200, body));
    const input = ['order-4711', 'order-4712'].map((idempotencyKey) => ({
      ...anImport('INV-1'),
      idempotencyKey,
    }));
    const client = createTestClient(proxy.url, session());
    const { data, errors } = await client.mutate(ImportMalaysiaInvoicesDocument, { input });
    expect(proxy.received).toHaveLength(2);
    expect(data.importMalaysiaInvoices).toMatchObject([{ __typename: 'InvalidInput' }, null]);
    expect(errors).toMatchObject([{ path, extensions: { sideEffect: 'POSSIBLE', retryable: false } }]);
  });
});

it('a list of writes does not wait for a member that is refused for hours', async () => {
  const extensions = { retryable: true, sideEffect: 'NONE', retryAfterMs: 2 * 3_600_000 };
  const refused = { message: 'm', path: ['importMalaysiaInvoices', 1], extensions };
  const send = vi.fn(async () => ({ results: ['done', null], errors: [refused] }));
  expect(await sendList(['one', 'two'], send)).toEqual([
    { result: 'done', errors: [] },
    { errors: [refused] },
  ]);
  expect(send).toHaveBeenCalledTimes(1);
});

it.each([
  ['a random time where its errors name none', { retryable: true }, 300],
  ['as long as an error requires', { retryable: true, retryAfterMs: 2_000 }, 2_000],
  ['for no time where only the token has expired', { code: 'UNAUTHENTICATED' }, 0],
])('a list of writes waits %s before it is repeated', async (_title, extensions, expectedMs) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.6).mockReturnValue(1);
  const refused = ['one', 'two'].map((_, index) => ({
    message: 'm',
    path: ['importMalaysiaInvoices', index],
    extensions: { sideEffect: 'NONE', ...extensions },
  }));
  const times: number[] = [];
  const send = async (inputs: readonly string[]) => {
    times.push(performance.now());
    return times.length === 1 ? { results: [], errors: refused } : { results: inputs, errors: [] };
  };
  const sent = sendList(['one', 'two'], send);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await sent).map((outcome) => 'result' in outcome && outcome.result)).toEqual(['one', 'two']);
  const [first = 0, again = 0] = times;
  expect(again - first).toBe(expectedMs);
});

it('a list of writes keeps what is known when the response to its repetition is lost', async () => {
  const refused = {
    message: 'm',
    path: ['importMalaysiaInvoices', 1],
    extensions: { retryable: true, sideEffect: 'NONE' },
  };
  const send = vi
    .fn()
    .mockResolvedValueOnce({ results: ['done', null], errors: [refused] })
    .mockRejectedValueOnce(new TypeError('The connection was lost.'));
  expect(await sendList(['one', 'two'], send)).toEqual([{ result: 'done', errors: [] }, { errors: [] }]);
  expect(send).toHaveBeenCalledTimes(2);
});

it('each attempt of a write sends what the page had when it was called, although a form changes it meanwhile', async () => {
  const name = 'importMalaysiaInvoices';
  const invoices = ['INV-1', 'INV-2'].map((docNumber) => {
    const { invoice, queueId } = anImport(docNumber);
    return { queueId, invoice: { ...invoice, extra: { note: 'x'.repeat(200_000) } } };
  });
  const changes: Behaviour = (request, response) => {
    for (const { invoice } of invoices) invoice.docNumber = 'INV-3';
    reset(request, response);
  };
  proxy.will(changes, json(200, { data: { [name]: [{ __typename: 'MalaysiaImport' }] } }));
  await createFolio(proxy.url, session()).importInvoices(invoices);
  const sent = proxy.received.map(({ body }) => JSON.parse(String(body)).variables.input[0]);
  expect(sent.map(({ invoice }) => invoice.docNumber)).toEqual(['INV-1', 'INV-1', 'INV-2']);
});

it('a list of 101 invoices is sent in two groups, as one mutation takes at most 100', async () => {
  const sent: number[] = [];
  const request = async (_document: unknown, { input }: any) => {
    sent.push(input.length);
    return {
      data: { importMalaysiaInvoices: input.map(() => ({ __typename: 'MalaysiaImport' })) },
      errors: [],
    };
  };
  const { importInvoices } = createWrites(request as unknown as Request);
  const written = await importInvoices(Array.from({ length: 101 }, (_, at) => anImport(`INV-${at}`)));
  expect(written.map(({ kind }) => kind)).toEqual(Array(101).fill('done'));
  expect(sent).toEqual([100, 1]);
});

describe('a button that is pressed several times', () => {
  it('sends a new key after a result, also when the function for the language has thrown once', async () => {
    const keys = new Set<string>();
    const request = async (_document: unknown, { input }: any) => {
      keys.add(input[0].idempotencyKey);
      return { data: { importMalaysiaInvoices: [{ __typename: 'MalaysiaImport' }] }, errors: [] };
    };
    const locale = vi
      .fn(() => 'EN' as const)
      .mockImplementationOnce(() => {
        throw new Error('The language is not known yet.');
      });
    const { importInvoices } = createWrites(request as unknown as Request, locale);
    await expect(importInvoices([anImport('INV-1')])).rejects.toThrow('not known yet');
    for (const count of [1, 2]) {
      expect(await importInvoices([anImport('INV-1')])).toMatchObject([{ kind: 'done' }]);
      expect(keys.size).toBe(count);
    }
  });

  it('sends the key of a lost scan again after the page has scanned the file under a key of its own', async () => {
    const keys: string[] = [];
    const request = async (_document: unknown, { input }: any) => {
      keys.push(input.idempotencyKey);
      const isLost = keys.length === 1;
      return { data: isLost ? undefined : { scanIdentityCard: { __typename: 'ScanResult' } }, errors: [] };
    };
    const { scan } = createWrites(request as unknown as Request);
    const file = new File(['card'], 'card.png');
    for (const idempotencyKey of [undefined, 'of-the-page', undefined])
      await scan(file, { queueId: '7', ...(idempotencyKey && { idempotencyKey }) });
    expect(keys).toEqual([keys[0], 'of-the-page', keys[0]]);
  });

  it('sends one key until each press, or a later one, has a result', async () => {
    const outcomes = {
      done: { __typename: 'ScanResult' },
      refused: { __typename: 'InvalidInput', problems: [] },
      failed: null,
    };
    type Kind = keyof typeof outcomes;
    const kinds = Object.keys(outcomes) as Kind[];
    const step = fc.oneof(fc.constant('press' as const), fc.tuple(fc.nat(1), fc.constantFrom(...kinds)));
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 12 }), async (isImport, steps) => {
        const inFlight: { key: string; end: (kind: Kind) => Promise<unknown>; at: number }[] = [];
        const request = (_document: unknown, { input }: any) =>
          new Promise((resolve) => {
            const end = async (kind: Kind) => {
              const [scanIdentityCard, importMalaysiaInvoices] = [outcomes[kind], [outcomes[kind]]];
              resolve({ data: { scanIdentityCard, importMalaysiaInvoices }, errors: [] });
            };
            inFlight.push({ key: [input].flat()[0].idempotencyKey, end, at: now });
          });
        const { scan, importInvoices } = createWrites(request as Request);
        const file = new File(['card'], 'card.png');
        const press = async () =>
          isImport
            ? ((await importInvoices([anImport('INV-1')]))[0]?.kind as Kind)
            : (await scan(file, { queueId: '7' })).kind;
        let now = 0;
        /** The key that the next press must have; undefined: a new one. */
        let expected: string | undefined;
        /** When the last press failed that no later one has repeated. */
        let failedAt: number | undefined;
        const used = new Set<string>();
        for (const one of steps) {
          now += 1;
          if (one === 'press') {
            const pressed = press();
            const call = inFlight.at(-1) as (typeof inFlight)[number];
            if (expected === undefined) expect(used).not.toContain(call.key);
            else expect(call.key).toBe(expected);
            used.add(call.key);
            expected = call.key;
            const { end } = call;
            call.end = async (kind) => {
              await end(kind);
              expect(await pressed).toBe(kind);
            };
            continue;
          }
          const [call] = inFlight.splice(one[0], 1);
          if (!call) continue;
          await call.end(one[1]);
          if (one[1] === 'failed') failedAt = now;
          if (one[1] === 'done' && call.at > (failedAt ?? now)) failedAt = undefined;
          if (inFlight.length === 0 && failedAt === undefined) expected = undefined;
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('an operation is repeated although the clock of the device is set back by an hour', async () => {
  const { now } = Date;
  const setBack: Behaviour = (request, response) => {
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    reset(request, response);
  };
  proxy.will(reset, setBack, json(200, { data: { mexicoValidation: null } }));
  const by = { documentId: '1' };
  const read = await createRequest(proxy.url, session())(MexicoValidationDocument, { by });
  expect(read).toEqual({ data: { mexicoValidation: null }, errors: [] });
  expect(proxy.received).toHaveLength(3);
});

describe('what became of a write', () => {
  it('is asked for a minute, also when the clock of the device is set back by an hour', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const writeOutcome = { state: 'IN_PROGRESS', result: null };
    const request = vi.fn(async () => ({ data: { writeOutcome }, errors: [] }));
    const settled = settle(request as unknown as Request, 'order-4711');
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(request.mock.calls.length).toBeLessThan(65);
    expect(await settled).toEqual({ state: 'IN_PROGRESS' });
  });

  it.each(someNotOfTheGateway)('is not said by %s', async (_title, answer) => {
    proxy.will(answer, json(200, { data: { writeOutcome: { state: 'COMPLETED', result: null } } }));
    const settled = await createFolio(proxy.url, session()).settle('order-4711');
    expect(settled).toMatchObject({ state: 'COMPLETED' });
  });

  it.each([{ data: null }, { data: {} }])('is not said by %o', async (body) => {
    proxy.will(json(200, body));
    expect(await createFolio(proxy.url, session()).settle('order-4711')).toEqual({ state: 'UNREACHABLE' });
  });
});

/** An `XMLHttpRequest` that gets a response with this status and no body. Returns which requests were sent with cookies. */
function stubXmlHttpRequest(status: number) {
  const sentWithCredentials: boolean[] = [];
  class Stub {
    readonly upload = {};
    withCredentials = false;
    readonly status = status;
    readonly responseText = '';
    onload = () => {};
    onloadend = () => {};
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null;
    abort() {}
    send() {
      sentWithCredentials.push(this.withCredentials);
      queueMicrotask(() => {
        this.onload();
        this.onloadend();
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', Stub);
  return sentWithCredentials;
}

describe('an upload with progress', () => {
  it.each([200, 204, 205, 304])('ends with a response of status %i without a body', async (status) => {
    stubXmlHttpRequest(status);
    const response = await fetchWithProgress(() => {})(proxy.url, { method: 'POST' });
    expect(response.status).toBe(status);
  });

  it('ends with an error of a response whose status is not one of HTTP', async () => {
    stubXmlHttpRequest(999);
    await expect(fetchWithProgress(() => {})(proxy.url, { method: 'POST' })).rejects.toThrow(RangeError);
  });

  it('sends the cookies of another origin when its operation asks for them', async () => {
    const sentWithCredentials = stubXmlHttpRequest(200);
    const client = createApolloClient(proxy.url, session());
    const input = { file: new File(['card'], 'card.png'), queueId: '7' };
    for (const credentials of [undefined, 'include']) {
      const context = { credentials, onProgress: () => {} };
      await client.mutate({ mutation: ScanIdentityCardDocument, variables: { input }, context });
    }
    expect(sentWithCredentials).toEqual([false, true]);
  });

  it('leaves no listener at a signal that the page uses for all its uploads', async () => {
    stubXmlHttpRequest(200);
    const { signal } = new AbortController();
    await fetchWithProgress(() => {})(proxy.url, { method: 'POST', signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('an operation whose own signal is aborted ends at once, and is not repeated', async () => {
  const cancel = new AbortController();
  proxy.will(hang);
  const context = { fetchOptions: { signal: cancel.signal } };
  const write = { mutation: CreateGroupDocument, variables: { input: keyed }, context };
  const written = createApolloClient(proxy.url, session()).mutate(write);
  await expect.poll(() => proxy.received).toHaveLength(1);
  cancel.abort();
  expect((await written).error).toMatchObject({ name: 'AbortError' });
  expect(proxy.received).toHaveLength(1);
});

describe('a request that can never be sent', () => {
  it('is refused at once, as one with a BigInt among its variables', async () => {
    const request = createRequest(proxy.url, session());
    const documentId = 1001n as unknown as string;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await expect(request(MexicoValidationDocument, { by: { documentId } })).rejects.toThrow('BigInt');
    expect(timers).not.toHaveBeenCalled();
  });

  it('is not begun with a signal that was aborted before', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const input = { file: new File(['card'], 'card.png'), queueId: '7' };
    const options = { signal: AbortSignal.abort() };
    const scanned = createRequest(proxy.url, session())(ScanIdentityCardDocument, { input }, options);
    await expect(scanned).rejects.toThrow('aborted');
    expect(fetched).not.toHaveBeenCalled();
  });
});

it.each([
  ['before its response', hang],
  ['before its repetition', refusal('RATE_LIMITED', { retryable: true, retryAfterMs: 30_000 })],
  ['during the renewal of its token', refusal('UNAUTHENTICATED')],
])('a request that is cancelled %s ends at once', async (_title, answer) => {
  const cancel = new AbortController();
  const fetchToken = () => new Promise<string>(() => {});
  const request = createRequest(proxy.url, createSession('key', 'token', { fetchToken }));
  proxy.will(answer);
  const asked = request(CreateGroupDocument, { input: keyed }, { signal: cancel.signal });
  await expect.poll(() => proxy.received).toHaveLength(1);
  cancel.abort();
  await expect(asked).rejects.toThrow('aborted');
  expect(proxy.received).toHaveLength(1);
});
