import { startSandbox } from './server.ts';

/** The sandbox by itself: `npm run sandbox`. Stops on SIGTERM and SIGINT. */

const magicInputs = `magic inputs:
  API key     bad… 401, forbidden… 403, limited… 429 on every third call; any other is good
  bearer      expired… or bad… 401; any other is good
  scan        file name with blank: nothing found; with corrupt: 422; ending .exe: 415
  Mexico      1001 valid, 1002 cancelled, 1003 invalid then valid, 1004 schema, 1005 list 69-B, 1999 none
  Malaysia    document number ending -NOW, -SLOW, -REJ, -FAIL; a number used before is rejected
  controls    POST /sandbox/faults {endpoint, fault, times}, POST /sandbox/clock {advanceMs}, GET /sandbox/calls`;

try {
  const sandbox = await startSandbox({
    host: process.env['SANDBOX_HOST'] || '127.0.0.1',
    port: setting('SANDBOX_PORT', 4010),
    speed: setting('SANDBOX_SPEED', 1),
  });
  console.log(`sandbox listening on ${sandbox.url}\n${magicInputs}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
} catch (error) {
  console.error(`The sandbox did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function setting(name: string, byDefault: number): number {
  const text = process.env[name]?.trim();
  if (!text) return byDefault;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new RangeError(`${name} must be a number.`);
  return value;
}
