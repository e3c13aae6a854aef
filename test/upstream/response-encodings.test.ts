/** What a service or a proxy may put around a response: interim responses, content encodings, charsets. */
import zlib, { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { TurnTakingBudget } from '../../src/shares/turn-taking-budget.ts';
import { type BodyMemory, readable } from '../../src/upstream/call/decompression.ts';
import { DecompressionQueue } from '../../src/upstream/call/decompression-queue.ts';
import { ResponseBody } from '../../src/upstream/call/response-body.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';
import { longestTurn } from '../support/work.ts';

const { service, gateway } = await gatewayOfService();

const created = '{"createGroup":{"id":"7","pages":[]}}';
const write = () => gateway.ask('mutation { createGroup(input: {}) { __typename ... on Group { id } } }');
const read = async (documentId = '1') => {
  const { data } = await gateway.ask(`{ malaysiaStatus(documentId: "${documentId}") { message } }`);
  return data?.malaysiaStatus.message;
};

/** Writes the parts one by one, each as a chunk of its own, then the response. */
function after(...parts: readonly string[]): does.Behaviour {
  return async ({ socket }, response) => {
    socket.setNoDelay();
    for (const part of parts)
      await new Promise<void>((resolve) => socket.write(part, () => setImmediate(resolve)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(created);
  };
}

const inOnePacket: does.Behaviour = ({ socket }, response) => {
  socket.cork();
  socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  response.writeHead(200, { 'content-type': 'application/json' }).end(created);
  socket.uncork();
};

/** So many bytes of interim responses. */
function interim(bytes: number): string {
  const most = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(600);
  return `${most}${'HTTP/1.1 103 '.padEnd(bytes - most.length - 4, 'x')}\r\n\r\n`;
}

it.each<[string, does.Behaviour]>([
  ['100 Continue in one packet with it', inOnePacket],
  ['100 Continue in pieces', after('HTTP/1.', '1 100 Con', 'tinue\r\nx: y\r\n', '\r\n')],
  ['100 Continue twice', after('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2))],
  ['100 Continue and 102 Processing', after('HTTP/1.1 100 \r\n\r\nHTTP/1.1 102 Processing\r\n\r\n')],
  ['102 Processing and 100 Continue', after('HTTP/1.1 102 \r\n\r\nHTTP/1.1 100 Continue\r\n\r\n')],
  ['103 Early Hints', after('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
  ['199', after('HTTP/1.1 199 Odd\r\n\r\n')],
  ['60 KiB of interim responses', after(interim(60 * 1_024))],
])(
  'a write whose response comes after %s is reported as done, and its connection is used again',
  async (_title, behaviour) => {
    service.will(behaviour, does.json(200, { status: 'queued', message: 'HTTP/1.1 100 Continue' }));
    expect((await write()).data).toEqual({ createGroup: { __typename: 'Group', id: '7' } });
    expect(await read()).toBe('HTTP/1.1 100 Continue');
    expect(service.received).toHaveLength(2);
  },
);

it.each(['HTTP/1.1 100', 'HTTP/1.1 103', 'HTTP/1.0 100'])(
  'a write whose response comes after %s that announces the close of the connection is reported as done',
  async (interimStatus) => {
    service.will(after(`${interimStatus} \r\nconnection: close\r\n\r\n`));
    expect((await write()).data).toEqual({ createGroup: { __typename: 'Group', id: '7' } });
    expect(service.received).toHaveLength(1);
  },
);

it('a read whose response comes after more than 64 KiB of interim responses fails: they could go on for ever', async () => {
  const tooMany = after(interim(256 * 1_024));
  service.will(tooMany, tooMany, tooMany);
  const { errors } = await gateway.ask('{ malaysiaStatus(documentId: "1") { message } }');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' });
});

const body = Buffer.from(created);
const encoded = (encoding: string, bytes: Buffer) =>
  does.text(200, bytes, { 'content-type': 'application/json', 'content-encoding': encoding });
it.each<[string, Buffer]>([
  ['', body],
  [' ', body],
  [',', body],
  ['identity, identity', body],
  ['identity,, GZIP ,', gzipSync(body)],
  ['gzip, br', brotliCompressSync(gzipSync(body))],
  ['deflate, zstd, gzip, br', brotliCompressSync(gzipSync(zstdCompressSync(deflateSync(body))))],
  ['deflate', deflateSync(body)],
  ['deflate', deflateRawSync(body)],
  ['utf-8', body],
  ['none', body],
  ['constructor', body],
  ['gzip, utf-8', gzipSync(body)],
])('a write whose response has the content encoding "%s" is reported as done', async (encoding, bytes) => {
  service.will(encoded(encoding, bytes));
  expect((await write()).data).toEqual({ createGroup: { __typename: 'Group', id: '7' } });
});

/** A frame with a window of 2 to the power of `log` (RFC 8878, section 3.1.1), and the text in a block without compression. */
function zstdFrame(log: number, text: Buffer): Buffer {
  const block = Buffer.alloc(3);
  block.writeUIntLE((text.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3]), block, text]);
}

/** A frame that is its own window, with as many blocks of 128 KiB of spaces. */
function zstdFrameInOne(blocks: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(blocks * 128 * 1_024, 5);
  const each = Array.from({ length: blocks }, (_, index) => {
    const block = Buffer.from([0, 0, 0, 0x20]);
    block.writeUIntLE(((128 * 1_024) << 3) | 0b010 | Number(index === blocks - 1), 0, 3);
    return block;
  });
  return Buffer.concat([head, ...each]);
}

it('a response in zstd with a window of 8 MiB is read', async () => {
  service.will(encoded('zstd', zstdFrame(23, body)));
  expect((await write()).data).toEqual({ createGroup: { __typename: 'Group', id: '7' } });
});

it.each<[string, string, Buffer]>([
  ['zstd with a window of 16 MiB', 'zstd', zstdFrame(24, body)],
  ['zstd with a window of 128 MiB', 'zstd', zstdFrame(27, body)],
  ['zstd whose window is the text of 9 MiB', 'zstd', zstdFrameInOne(72)],
  [
    'brotli with a large window',
    'br',
    brotliCompressSync(body, {
      params: { [zlib.constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 30 },
    }),
  ],
])('a response in %s is not decompressed: no budget counts its memory', async (_title, encoding, bytes) => {
  service.will(encoded(encoding, bytes));
  const { errors } = await write();
  expect(errors?.[0]?.message).toContain('cannot be decompressed');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' });
});

const message = (text: string) => `{"status":"queued","message":"${text}"}`;
it.each<[string, Buffer, string]>([
  ['iso-8859-1', Buffer.from(message('ü'), 'latin1'), 'ü'],
  ['"ISO-8859-1"', Buffer.from(message('ü'), 'latin1'), 'ü'],
  ['windows-1252', Buffer.from(message('\x80'), 'latin1'), '€'],
  ['shift_jis', Buffer.from(message('\x83\x41'), 'latin1'), 'ア'],
  ['utf-16le', Buffer.from(message('ü'), 'utf16le'), 'ü'],
  ...['iso-8859-1', 'utf-8', 'utf8', 'unheard-of'].map((charset): [string, Buffer, string] => [
    charset,
    Buffer.from(message('ü')),
    'ü',
  ]),
])('text of a response with the charset %s is read: %#', async (charset, bytes, expected) => {
  service.will(does.text(200, bytes, { 'content-type': `application/json; charset=${charset}` }));
  expect(await read()).toBe(expected);
});

/** Without turns. */
const memoryOf = (hold: (bytes: number) => boolean = () => true): BodyMemory => ({
  holdInTurn: async (bytes) => hold(bytes),
  inTurn: (work) => work(),
});

it('a compressed response counts together with what was decompressed of it', async () => {
  const body = gzipSync(Buffer.alloc(8_000_000), { level: 0 });
  const held: number[] = [];
  const compressed = { status: 200, headers: { 'content-encoding': 'gzip' }, body };
  await readable(
    compressed,
    16_000_000,
    memoryOf((bytes) => held.push(bytes) > 0),
  );
  expect(held[0]).toBeGreaterThan(8_000_000);
  expect(held.at(-1)).toBeGreaterThan(16_000_000);
});

const inCharset = (charset: string, body: Buffer) => ({
  status: 200,
  headers: { 'content-type': `text/plain; charset=${charset}` },
  body,
});

const inShiftJis = (body: Buffer) => inCharset('shift_jis', body);

it('a large text in another charset is converted in several turns of the event loop, and counts meanwhile', async () => {
  const longestMs = longestTurn();
  const held: number[] = [];
  const memory = memoryOf((bytes) => held.push(bytes) > 0);
  // No byte is a character: each takes longer than a character.
  const { body } = await readable(inShiftJis(Buffer.alloc(4_000_000, 0x80)), 32_000_000, memory);
  expect(body).toHaveLength(12_000_000);
  expect(longestMs()).toBeLessThan(100);
  expect(held.at(-1)).toBeGreaterThan(16_000_000);
  const tooLarge = await readable(inShiftJis(Buffer.alloc(1_000_000, 0x80)), 2_000_000, memory);
  expect(tooLarge.body).toBeNull();
});

it('a character between two parts of a text in another charset is converted', async () => {
  const kana = Buffer.alloc(3_000_000, Buffer.from([0x83, 0x41]));
  const response = inShiftJis(Buffer.concat([Buffer.from('a'), kana]));
  const { body } = await readable(response, 32_000_000, memoryOf());
  expect(String(body) === `a${'ア'.repeat(1_500_000)}`).toBe(true);
});

it('a compressed response counts while it is decompressed, and ends when it is dropped', async () => {
  const MiB = 1_024 * 1_024;
  const body = gzipSync(Buffer.alloc(8 * MiB));
  const held: number[] = [];
  const { body: plain } = await readable(
    { status: 200, headers: { 'content-encoding': 'gzip' }, body },
    32 * MiB,
    memoryOf((bytes) => held.push(bytes) > 0 && bytes < MiB),
  );
  expect(plain).toBeNull();
  expect(held.at(-1)).toBeGreaterThan(MiB - 1);
  expect(held.at(-1)).toBeLessThan(2 * MiB);
});

/** A body in a budget of 1,000,000 bytes. `reserve`: how many of them are for the response whose turn it is. */
function aBody(reserve = 0) {
  const shares = aShares();
  const responses = new TurnTakingBudget(shareOf('responses', 1_000_000), shares, reserve);
  const decompressionQueue = new DecompressionQueue(shares.acceptedLanes);
  const bounds = { maxResponseBytes: 1_000_000, responses, decompressionQueue, shares };
  const body = new ResponseBody(bounds, holder('key'), () => {});
  return { body, responses };
}

it('a body whose call ends while it waits for others to be read is decompressed no further', async () => {
  const { body, responses } = aBody(1_000_000);
  responses.open({ holder: holder('other'), drop() {} }).hold(200_000);
  const waiting = body.holdInTurn(100_000);
  expect(responses.held).toBe(300_000);
  body.close();
  expect([await waiting, responses.held]).toEqual([false, 200_000]);
});

it('a body has no turn among those that are read while it waits to be decompressed, and one afterwards', async () => {
  const { body, responses } = aBody(800_000);
  body.hold(100_000);
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const decompressed = body.inTurn(() => isRead);
  /** Whether another one, which holds more, waits for it. */
  const isAwaited = () => {
    const other = responses.open({ holder: holder('other'), drop() {} });
    other.hold(200_000);
    const waits = responses.waits(other, () => {});
    other.close();
    return waits;
  };
  expect(isAwaited()).toBe(false);
  await new Promise(setImmediate);
  expect(isAwaited()).toBe(true);
  resolve();
  await decompressed;
});

it('a body whose call ends while it is decompressed holds nothing', () => {
  const { body, responses } = aBody();
  expect([body.hold(100_000), responses.held]).toEqual([true, 100_000]);
  body.close();
  expect([body.hold(100_000), responses.held]).toEqual([false, 0]);
});

it.each([
  ['400 characters', '名'.repeat(400)],
  ['too many characters of three bytes', `${'名'.repeat(499)}…`],
  ['these after one of one byte', `a${'名'.repeat(498)}…`],
  ['too many of four bytes', `${'😀'.repeat(249)}…`],
])('a reason in plain text of %s is cut between two, and its end is marked', async (_what, expected) => {
  const [last = ''] = [...expected].slice(-2);
  // More than 64 KiB in JSON would be data.
  const reason = expected.replace('…', last.repeat(70_000));
  service.will(does.text(400, reason, { 'content-type': 'text/plain' }));
  const { data } = await gateway.ask(
    'mutation { createGroup(input: {}) { ... on InvalidInput { problems { message } } } }',
  );
  expect(data.createGroup.problems).toEqual([{ message: expected }]);
});
