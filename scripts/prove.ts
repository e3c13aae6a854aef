/**
 * Proves the assumptions of docs/service.md against a service: `npm run prove -- --service URL`. Reads
 * only, unless a queue is named for what it writes. Exit status: 1 when an assumption is wrong, 2 when it could not run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contract } from './prove/contract.ts';
import { type ProvedAssumption, prove } from './prove/prove.ts';

const usage = `Usage: FOLIO_API_KEY=… FOLIO_ACCESS_TOKEN=… npm run prove -- --service URL
  --key, --token       the credentials instead of the variables; npm and the list of processes show them
  --queue ID --write   also write into this queue: a scan, its export, a group, three Fapiao requests and four imports
  --mexico ID          a document with a stored Mexican validation; default 1001
  --malaysia ID        a Malaysian document, at best one that failed; default 2002
  --card FILE          the image of a card to scan
  --contract FILE      also write a contract for the service's own tests (Pact, version 4)
  --wait SECONDS       longest wait for the status of an import; default 30
  --json               print the result as JSON`;

const marks = { holds: 'holds', wrong: 'WRONG', 'not decidable': '  ?  ' } as const;

function line({ id, verdict, because, assumption, ifWrong, changedBy }: ProvedAssumption): string {
  const first = `${marks[verdict]}  ${id}: ${because}`;
  if (verdict !== 'wrong') return first;
  return `${first}\n       assumed: ${assumption}\n       so: ${ifWrong}\n       change: ${changedBy}`;
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      service: { type: 'string' },
      key: { type: 'string' },
      token: { type: 'string' },
      queue: { type: 'string' },
      write: { type: 'boolean', default: false },
      mexico: { type: 'string', default: '1001' },
      malaysia: { type: 'string', default: '2002' },
      card: { type: 'string' },
      contract: { type: 'string' },
      wait: { type: 'string', default: '30' },
      json: { type: 'boolean', default: false },
    },
  });
  const { service, queue, write, card, mexico, malaysia } = values;
  const { key = process.env['FOLIO_API_KEY'], token = process.env['FOLIO_ACCESS_TOKEN'] } = values;
  if (values.contract !== undefined) writeFileSync(values.contract, `${JSON.stringify(contract, null, 2)}\n`);
  if (service === undefined || key === undefined || token === undefined)
    throw new Error('--service, FOLIO_API_KEY and FOLIO_ACCESS_TOKEN are required.');
  if (!URL.canParse(service)) throw new Error('--service must be a URL.');
  const waitMs = 1_000 * Number(values.wait);
  if (!(waitMs >= 0)) throw new Error('--wait must be a number of seconds.');
  if (write && queue === undefined) throw new Error('--write needs --queue, the queue to write into.');
  const proved = await prove({
    ...{ service, key, token: token.replace(/^Bearer /i, ''), mexico, malaysia },
    queue: write ? queue : undefined,
    card: card === undefined ? undefined : readFileSync(card),
    waitMs,
    pauseMs: 1_000,
  });
  const count = (verdict: string) => proved.filter((each) => each.verdict === verdict).length;
  const counts = { holds: count('holds'), wrong: count('wrong'), notDecidable: count('not decidable') };
  console.log(
    values.json
      ? JSON.stringify({ service, counts, assumptions: proved }, null, 2)
      : `${proved.map(line).join('\n')}\n\n${counts.holds} hold, ${counts.wrong} wrong, ${counts.notDecidable} not decidable`,
  );
  return counts.wrong > 0 ? 1 : 0;
}

/** What `npm run prove` does with these arguments. Returns the exit status. */
export async function run(...args: string[]): Promise<number> {
  try {
    return await main(args);
  } catch (error) {
    const { message, cause } = error as Error;
    console.error(
      `The assumptions were not proved: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n${usage}`,
    );
    return 2;
  }
}

if (import.meta.main) process.exitCode = await run(...process.argv.slice(2));
