/**
 * Callers that each send one large file, all at the same time and as fast as possible. Environment: URL, CALLERS, BYTES
 * of each file. Prints the duration (ms). Fails when a response is not the expected one.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pictureBytes, scanUpload } from '../workloads/writes.ts';
import { credentials } from './wrk.ts';

const chunk = pictureBytes(64 * 1024);
const bytes = Number(process.env['BYTES']);

async function upload(): Promise<void> {
  const { head, tail, contentType } = scanUpload;
  const sent = request(process.env['URL'] as string, {
    method: 'POST',
    headers: {
      ...credentials,
      'x-graphql-yoga-csrf': '1',
      'content-type': contentType,
      'content-length': Buffer.byteLength(head) + bytes + tail.length,
    },
  });
  const answered = once(sent, 'response');
  sent.write(head);
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!sent.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) await once(sent, 'drain');
  }
  sent.end(tail);
  const [response] = await answered;
  const answer = await text(response);
  if (!answer.includes('"COMPLETED"')) throw new Error(answer.slice(0, 500));
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(process.env['CALLERS']) }, upload));
console.log(performance.now() - started);
