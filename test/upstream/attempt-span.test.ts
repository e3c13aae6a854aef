import { expect, it } from 'vitest';
import { statusEndpoint } from '../../src/features/malaysia/malaysia.api.ts';
import { noSpan } from '../../src/telemetry/tracing.ts';
import { attemptSpan } from '../../src/upstream/call/attempt-span.ts';

it.each([
  ['https://service.example', 443],
  ['http://service.example', 80],
  ['https://service.example:8443', 8_443],
])('the span of a call to %s names the port %i', (origin, port) => {
  const started: object[] = [];
  const child = (_name: string, options?: object) => {
    started.push({ ...options });
    return noSpan;
  };
  const parent = { ...noSpan, traceId: '0af7651916cd43dd8448eb211c80319c', child };
  attemptSpan(parent, statusEndpoint, { origin, pathPrefix: '' }, 1);
  expect(started).toMatchObject([
    { attributes: { 'server.address': 'service.example', 'server.port': port } },
  ]);
});
