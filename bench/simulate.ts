/**
 * Simulates the polls of a fleet of gateways:
 *
 *     npm run simulate                                     10^4 to 10^7 documents, growing and adaptive intervals
 *     npm run simulate -- --documents 100000 --gateways 4 --course slow
 *     npm run simulate -- --courses                        each assumption about how long documents take
 *     npm run simulate -- --expected                       whether documents change when the gateway expects it
 *     npm run simulate -- --check                          1,000 and 10,000 documents in real gateways too
 *     npm run simulate -- --help                           this text
 *
 * Other options: --copies (subscribers of each document), --capacity (calls per second that the service accepts), --budget
 * (polls per second of each gateway), --fleet-budget (one budget for all), --first (share watched through the first gateway
 * in addition), --hours 9-11, --hour 120 (seconds of each), --seed, --invented (pairs of courses that the seed invents).
 *
 * The scheduling is the gateway's own code, with a virtual clock; the service and Redis are simulated (README.md). Of more
 * documents than `--simulated` (10,000 by default) a slice is simulated: of 10^6, a hundredth of the documents, callers,
 * gateways, capacity and budget. Rates are multiplied by a hundred again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Delays } from './simulation/meter.ts';
import { ageLimits } from './simulation/meter.ts';
import { changePace, inventCourse } from './simulation/pace.ts';
import { type Observed, watchRealFleet } from './simulation/real-fleet.ts';
import { type Scenario, simulate } from './simulation/simulation.ts';
import { type Course, type CourseName, courses } from './simulation/workload.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000,100000,1000000,10000000' },
    /** Default: one for each 50,000 documents, and at least two. */
    gateways: { type: 'string' },
    copies: { type: 'string', default: '1' },
    course: { type: 'string', default: 'portal' },
    /** Calls per second that the service accepts. Default: more than are needed. */
    capacity: { type: 'string' },
    /** Polls per second of each gateway. Default: more than are needed. */
    budget: { type: 'string' },
    /** One budget for all gateways. */
    'fleet-budget': { type: 'boolean', default: false },
    /** Share of the documents that is watched through the first gateway, in addition to its equal part. */
    first: { type: 'string', default: '0' },
    simulated: { type: 'string', default: '10000' },
    hours: { type: 'string', default: '9-11' },
    hour: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    courses: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    expected: { type: 'boolean', default: false },
    /** Pairs of courses that the seed invents, in addition to those of `courses`. */
    invented: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  // The comment at the beginning of this file.
  const [, text = ''] = /^\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(import.meta.filename, 'utf8')) ?? [];
  console.log(text.replaceAll(/^ \* ?/gm, ''));
  process.exit(0);
}

const unlimited = 1_000_000;

/** The scenario, and by how much its rates are to be multiplied. */
function scenarioOf(documents: number, course: CourseName): [scenario: Scenario, scale: number] {
  const scale = Math.max(1, documents / Number(values.simulated));
  const gateways = Number(values.gateways ?? Math.max(2, documents / 50_000));
  const [from = 9, to = 11] = values.hours.split('-').map(Number);
  const simulatedGateways = Math.max(1, Math.round(gateways / scale));
  const budget = Number(values.budget ?? unlimited);
  return [
    {
      seed: Number(values.seed),
      documents: documents / scale,
      gateways: simulatedGateways,
      isFleet: gateways > 1,
      copies: Number(values.copies),
      callers: Math.max(20, documents / scale / 100),
      course,
      capacity: Number(values.capacity ?? unlimited * scale) / scale,
      budget: values['fleet-budget'] ? budget / scale : (budget * gateways) / scale / simulatedGateways,
      bounds: { pollMinMs: 2_000, pollMaxMs: 30_000 },
      isAdaptive: false,
      hasFleetBudget: values['fleet-budget'],
      firstGateway: Number(values.first),
      hours: [from, to],
      hourMs: Number(values.hour) * 1_000,
    },
    scale,
  ];
}

const seconds = (ms: number) => (Number.isNaN(ms) ? '–' : (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0));
const both = ({ p50Ms, p99Ms }: Delays) => `${seconds(p50Ms)} / ${seconds(p99Ms)}`;
const rate = (value: number) => Math.round(value).toLocaleString('en');

function printHead(columns: readonly string[]): void {
  console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`);
}

const ages = ageLimits.map((limit) => (Number.isFinite(limit) ? `to ${limit / 1_000} s` : 'older'));

async function printRow(documents: number, course: CourseName, isAdaptive: boolean): Promise<void> {
  const [scenario, scale] = scenarioOf(documents, course);
  const results = await simulate({ ...scenario, isAdaptive });
  const cells = [
    documents.toLocaleString('en'),
    course,
    isAdaptive ? 'adaptive' : 'growing',
    rate(results.watched * scale),
    rate(results.pollsPerSecond * scale),
    rate(results.peakPollsPerSecond * scale),
    `${(100 * results.refused).toFixed(1)} %`,
    both(results.final),
    ...results.byAge.map(both),
    seconds(results.lag.p99Ms),
    results.fairness.toFixed(2),
    `${rate(results.commandsPerSecond * scale)} + ${rate(results.messagesPerSecond * scale)}`,
    `${results.events.toLocaleString('en')} in ${results.cpuSeconds.toFixed(1)} s`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function printSimulations(): Promise<void> {
  printHead([
    'documents',
    'course',
    'interval',
    'watched',
    'polls/s',
    'at most',
    '429',
    'final state seen after s, p50 / p99',
    ...ages.map((age) => `change at an age ${age}`),
    'wait for the budget s, p99',
    "Jain's index",
    'Redis commands/s + messages/s',
    'events',
  ]);
  const names = values.courses ? (Object.keys(courses) as CourseName[]) : [values.course as CourseName];
  for (const documents of values.documents.split(',').map(Number))
    for (const course of names)
      for (const isAdaptive of [false, true]) await printRow(documents, course, isAdaptive);
}

/** Compares the simulation with real gateways. Two minutes for each number of documents. */
async function printCheck(): Promise<void> {
  printHead(['documents', 'fleet', 'polls', 'changes', 'seen after s, p50 / p99']);
  const row = (
    documents: number,
    fleet: string,
    { polls, changes, p50Ms, p99Ms }: Omit<Observed, 'arrivalsMs'>,
  ) =>
    console.log(
      `| ${documents} | ${fleet} | ${polls} | ${changes} | ${both({ count: changes, p50Ms, p99Ms })} |`,
    );
  for (const documents of values.documents.split(',').map(Number)) {
    // At the default intervals, 10,000 documents are more than gateways, service and subscribers carry on two cores.
    const isLarge = documents > 1_000;
    const scenario: Scenario = {
      ...scenarioOf(documents, values.course as CourseName)[0],
      gateways: 2,
      isFleet: true,
      callers: 10,
      documents,
      hourMs: isLarge ? 120_000 : 100_000,
      bounds: isLarge ? { pollMinMs: 30_000, pollMaxMs: 60_000 } : { pollMinMs: 2_000, pollMaxMs: 30_000 },
      isAdaptive: true,
    };
    const real = await watchRealFleet(scenario, isLarge ? 60_000 : 20_000);
    const results = await simulate({ ...scenario, arrivalsMs: real.arrivalsMs });
    row(documents, 'real', real);
    row(documents, 'simulated', { ...results.all, polls: results.polls, changes: results.all.count });
  }
}

/** Compares documents with what was expected of them, from ten minutes after each course has become each other. */
async function printExpected(): Promise<void> {
  printHead([
    'course',
    'then',
    'state',
    'documents',
    'of them expected',
    'changed by likelyBy',
    'by atLatestBy',
  ]);
  const row = async (name: string, before: Course, then: string, after: Course, seed: number) => {
    for (const [state, counts] of Object.entries(await changePace(before, after, seed))) {
      const shares = [counts.withExpectation / counts.stays, counts.byLikely, counts.byAtLatest];
      const cells = [
        name,
        then,
        state,
        rate(counts.stays),
        ...shares.map((share) => `${(100 * share).toFixed(1)} %`),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  };
  const seed = Number(values.seed);
  for (const [name, before] of Object.entries(courses))
    for (const [then, after] of Object.entries(courses)) await row(name, before, then, after, seed);
  for (let pair = 0; pair < Number(values.invented); pair += 1) {
    const [one, other] = [`invented ${seed}.${2 * pair}`, `invented ${seed}.${2 * pair + 1}`];
    await row(one, inventCourse(one), other, inventCourse(other), seed);
  }
}

await (values.check ? printCheck() : values.expected ? printExpected() : printSimulations());
process.exit(0);
