/** Sends hostile traffic to a gateway with a small heap for a while, and checks that honest callers notice nothing. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { costlyOperation } from '../support/costly-operation.ts';
import { post } from '../support/gateway.ts';
import { metricOf } from '../support/metric.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { Random } from '../support/random.ts';
import { attacks } from './attacks.ts';
import { findKey, heldAfterwards } from './held.ts';
import { startSlowService } from './slow-service.ts';

interface FuzzResult {
  /** What must not happen, each with what was sent before. Empty: nothing was found. */
  readonly findings: readonly string[];
  /** Number of attacks of each kind. */
  readonly sent: Readonly<Record<string, number>>;
}

/** Most CPU time that the gateway spends until it responds to `/health` (ms). */
const healthCpuMs = 250;
/** Heap in use after the attacks, over that before (bytes). */
const keptBytes = 64 * 1024 * 1024;
/** Attacks at the same time, after which an honest caller is checked. */
const attacksAtOnce = 20;
export const kinds = [...Object.keys(attacks), 'operation'];

/** Attacks of each kind in turn until `isOver`, which gets the number of those that were made. */
export async function fuzz(isOver: (rounds: number) => boolean, seed: number): Promise<FuzzResult> {
  const service = await startSlowService(new Random('service', seed));
  const gateway = await startProcess({
    NODE_OPTIONS: '--max-old-space-size=256',
    LOG_LEVEL: 'error',
    UPSTREAM_URL: service.url,
    IDEMPOTENCY_TTL_MS: '1000',
  });
  try {
    return await new Fuzzer(gateway, seed).run(isOver);
  } finally {
    killProcesses();
    await service.close();
  }
}

class Fuzzer {
  readonly #gateway: GatewayProcess;
  readonly #url: URL;
  readonly #random: Random;
  readonly #findings: string[] = [];
  readonly #sent: Record<string, number> = {};
  #isDead = false;

  constructor(gateway: GatewayProcess, seed: number) {
    this.#gateway = gateway;
    this.#url = new URL(gateway.url);
    this.#random = new Random('fuzz', seed);
    void gateway.exited.then((code) => {
      this.#isDead = true;
      this.#findings.push(`the process ended with ${code}: ${gateway.lines.slice(-5).join('\n')}`);
    });
  }

  async run(isOver: (rounds: number) => boolean): Promise<FuzzResult> {
    await this.#checkHonestCaller('nothing');
    const heapBefore = await this.#heapBytes();
    for (let rounds = 0; !isOver(rounds) && this.#findings.length === 0; rounds += 1) {
      const name = kinds[rounds % kinds.length] as string;
      await (name === 'operation' ? this.#tryOperation() : this.#attack(name));
      this.#checkLog(name);
      await this.#checkHonestCaller(name);
    }
    if (this.#findings.length === 0) await this.#checkMemory(heapBefore);
    if (this.#findings.length === 0) await this.#checkReleased();
    return { findings: [...this.#findings], sent: this.#sent };
  }

  async #attack(name: string): Promise<void> {
    const attack = attacks[name] as (typeof attacks)[string];
    const seeds = Array.from({ length: attacksAtOnce }, () => this.#random.below(2 ** 31));
    const results = await Promise.all(
      seeds.map((seed) =>
        attack(this.#url, new Random(name, seed)).catch((error: unknown) => [String(error)]),
      ),
    );
    this.#count(name, seeds.length);
    for (const [index, received] of results.entries()) this.#checkBugs(`${name} ${seeds[index]}`, received);
  }

  async #tryOperation(): Promise<void> {
    const seed = this.#random.below(2 ** 31);
    const body = JSON.stringify(costlyOperation(new Random('operation', seed)));
    const text = await (await post(this.#gateway, body)).text();
    this.#count('operation', 1);
    this.#checkBugs(`operation ${seed}`, [text]);
  }

  #checkBugs(what: string, received: readonly string[]): void {
    const bug = received.find((text) => /INTERNAL_SERVER_ERROR|The gateway failed/.test(text));
    if (bug !== undefined) this.#findings.push(`a bug after ${what}: ${bug.slice(0, 500)}`);
  }

  /** Errors that no caller caused: faults in handlers, unforeseen errors, rejections. */
  #checkLog(what: string): void {
    const { lines } = this.#gateway;
    const at = lines.findIndex((line) => /uncaught|unforeseen|(websocket|connection) event/i.test(line));
    // The stack is in the lines after it.
    const fault = lines.slice(at, at + 20).join('\n');
    if (at >= 0) this.#findings.push(`a fault after ${what}: ${fault.slice(0, 4_000)}`);
  }

  async #checkHonestCaller(after: string): Promise<void> {
    if (this.#isDead) return;
    const query = '{ mexicoValidation(by: { documentId: "1001" }) { result } }';
    const before = this.#cpuMs();
    const health = await fetch(new URL('/health', this.#url));
    await health.text();
    const spent = this.#cpuMs() - before;
    if (health.status !== 200 || spent > healthCpuMs)
      this.#findings.push(`/health: ${health.status}, ${spent} ms of CPU after ${after}`);
    const response = await post(this.#gateway, { query });
    const text = await response.text();
    if (!text.includes('"VALID"'))
      this.#findings.push(`an honest caller after ${after}: ${response.status} ${text}`);
  }

  async #checkMemory(before: number): Promise<void> {
    let least = Infinity;
    // Scavenges and collections happen while requests are served.
    for (let round = 0; round < 200 && least > before + keptBytes; round += 1) {
      await this.#checkHonestCaller('the last attack');
      least = Math.min(least, await this.#heapBytes());
      await sleep(20);
    }
    if (least > before + keptBytes) this.#findings.push(`the heap was ${before} bytes and stays at ${least}`);
  }

  async #checkReleased(): Promise<void> {
    const held = await heldAfterwards(async () => {
      await (await post(this.#gateway, { query: findKey })).text();
      return await (await fetch(`${this.#gateway.origin}/metrics`)).text();
    });
    if (held.length > 0) this.#findings.push(`held for callers who have left: ${held.join(', ')}`);
  }

  #heapBytes(): Promise<number> {
    return metricOf(this.#gateway, 'nodejs_heap_size_used_bytes');
  }

  /** CPU time of the main thread so far (ms); where the system does not report it, the wall clock. */
  #cpuMs(): number {
    try {
      return Number(readFileSync(`/proc/${this.#gateway.process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return performance.now();
    }
  }

  #count(name: string, number: number): void {
    this.#sent[name] = (this.#sent[name] ?? 0) + number;
  }
}
