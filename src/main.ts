/** The process: reads the configuration, starts the gateway, handles signals, sets the exit status. */

import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { parseEnv } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import packageJson from '../package.json' with { type: 'json' };
import { type Config, ConfigurationError, readConfig } from './config/config.ts';
import { args, printedVariables, usage } from './config/printed-configuration.ts';
import { configWarnings, openFilesLimit } from './config/warnings.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { listenProblem } from './http/listen-problem.ts';
import { readManifests, UnusableManifestError } from './operation/persisted/manifests.ts';
import { schema } from './schema.ts';
import { EvictingRedisError } from './state/redis-eviction.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { createLogOutput, type LogOutput } from './telemetry/log-output.ts';
import { logPrintedLines } from './telemetry/log-printed-lines.ts';

/** Exit status of an unknown argument: EX_USAGE of sysexits.h. */
const exitUsage = 64;
/** Exit status of an invalid configuration: EX_CONFIG of sysexits.h. */
const exitConfiguration = 78;

// V8 counts the chunks of uploads against the limit of the whole heap. With its default of Node 26, each 64 MB of chunks
// start a full collection, which costs as much as the uploads (nodejs/node#61967).
setFlagsFromString('--external-memory-accounted-in-global-limit');

// Node cuts small buffers out of a pool, which each of them keeps: with its 64 KiB, 400 unread pings would keep 26 MB.
Buffer.poolSize = 8 * 1_024;

// A diagnostic report, which options of Node write to the working directory, would have LANE_SECRET and REDIS_URL.
process.report.excludeEnv = true;

/** What the program does instead of running the gateway, by its one argument. */
const actions: Readonly<Record<string, () => void | Promise<void>>> = {
  '--help': () => console.log(usage()),
  '--version': () => console.log(packageJson.version),
  '--check': check,
  '--print-config'() {
    configOrExit();
    console.log(printedVariables(process.env));
  },
};

const [argument, ...others] = process.argv.slice(2);
const action =
  argument === undefined ? run : Object.entries(actions).find(([name]) => name === argument)?.[1];
if (action && others.length === 0) {
  await action();
} else {
  console.error(
    `${args}\nUnknown arguments: ${[argument, ...others].join(' ')}. Settings are environment variables, such as PORT=4001.`,
  );
  process.exitCode = exitUsage;
}

/** Checks the variables, the files that they name, and that the shared Redis can be used. */
async function check(): Promise<void> {
  const config = configOrExit();
  for (const warning of configWarnings(config, process.env, openFilesLimit()))
    console.log(`warning: ${warning}`);
  try {
    await readManifests(config.persistedOperations.files, schema, config.introspection);
  } catch (error) {
    if (!(error instanceof UnusableManifestError)) throw error;
    exitWith(error);
  }
  if (config.redisAddress !== undefined) {
    const { redisProblem } = await import('./state/redis-check.ts');
    const problem = await redisProblem(config.redisAddress, config.redisReplicas);
    if (problem !== undefined) exitWith(new Error(`REDIS_URL: Redis cannot be used: ${problem}.`));
  }
  console.log('The configuration can be used.');
}

async function run(): Promise<void> {
  const config = configOrExit();
  const output = createLogOutput(process.stdout.fd);
  process.on('exit', output.flush);
  const pretty = config.production ? undefined : await loadPrettyPrinter();
  const log = createLog({
    level: config.logLevel,
    production: config.production,
    destination: pretty ? { write: (line) => output.destination.write(pretty(line)) } : output.destination,
  });
  let gateway: Gateway | undefined;
  stopOnSignals(() => gateway, log, output);
  // Without a handler the signal would end the process, which may wait for Redis before it listens.
  process.on('SIGHUP', () => changeLogLevel(log, config.logLevel));
  // Without a handler Node would let every program of this machine debug the process, and so read what is in its memory.
  process.on('SIGUSR1', () => log.warn('SIGUSR1 has no effect'));
  if (config.production) logPrintedLines(log, process);
  if (!config.production && !pretty) log.info('log lines are JSON because pino-pretty is not installed');
  for (const warning of configWarnings(config, process.env, openFilesLimit())) log.warn(warning);
  gateway = await startOrExit(config, log, output.droppedLines);
  // The first event stream would hold up all callers while this loads.
  await import('./http/graphql/event-stream.ts');
  // Printed at every LOG_LEVEL: scripts wait for the address.
  const print = (line: string) =>
    config.production ? log.child({}, { level: 'info' }).info(line) : console.log(line);
  const { target } = config.upstream;
  if (target.kind === 'sandbox') print(`sandbox listening on ${gateway.serviceUrl} (${target.reason})`);
  if (gateway.metricsUrl) print(`metrics at ${gateway.metricsUrl}`);
  print(`listening on ${gateway.url}`);
  // The last resort: a fault that no handler has caught costs the request or socket whose event it was, not those of all.
  process.on('uncaughtException', (error, origin) => log.fatal({ err: error, origin }, 'uncaught'));
}

/** On SIGHUP: the LOG_LEVEL of `.env` in the working directory. Without one, `initial` and debug by turns. */
function changeLogLevel(log: Log, initial: Config['logLevel']): void {
  try {
    // TextDecoder leaves out the byte order mark that Windows writes.
    const { LOG_LEVEL } = existsSync('.env') ? parseEnv(new TextDecoder().decode(readFileSync('.env'))) : {};
    const next = LOG_LEVEL ? readConfig({ LOG_LEVEL }).logLevel : log.level === initial ? 'debug' : initial;
    log.level = next;
    log.child({}, { level: 'info' }).info({ logLevel: next }, 'log level changed');
  } catch (error) {
    const reason = error instanceof ConfigurationError ? error.message : '.env cannot be read';
    log.error(reason);
  }
}

/** Formats log lines for people. Undefined where development dependencies are not installed. */
async function loadPrettyPrinter(): Promise<((line: string) => string) | undefined> {
  try {
    const { prettyFactory } = await import('pino-pretty');
    return prettyFactory({ colorize: process.stdout.isTTY, singleLine: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

async function startOrExit(config: Config, log: Log, droppedLogLines: () => number): Promise<Gateway> {
  try {
    return await startGateway({ config, log, droppedLogLines });
  } catch (error) {
    if (error instanceof EvictingRedisError || error instanceof UnusableManifestError) exitWith(error);
    const reason = listenProblem(error, config.listen.host);
    if (config.production) log.fatal({ err: error, reason }, 'not started');
    else if (reason === undefined) throw error;
    else console.error(reason);
    process.exit(1);
  }
}

function configOrExit() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    exitWith(error);
  }
}

/** Ends the process because its configuration is invalid. A start in production logs that. */
function exitWith({ message }: Error): never {
  try {
    if (process.env['NODE_ENV'] === 'production' && action === run)
      createLog({ level: 'fatal', production: true }).fatal(message);
    else console.error(message);
  } finally {
    // Also where the line cannot be written, as to a full disk.
    process.exit(exitConfiguration);
  }
}

/**
 * Also of a gateway that has not started, when `gateway` returns undefined and nothing is in progress: the system lets the
 * first process of a container ignore a signal that has no handler.
 */
function stopOnSignals(gateway: () => Gateway | undefined, log: Log, output: LogOutput): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The second Ctrl-C ends the process immediately. SIGTERM can come twice: from a supervisor that signals every
      // process of a group, and from `before-start.cjs`.
      if (stopping && signal === 'SIGINT') process.exit(1);
      if (stopping) return;
      stopping = true;
      const exit = (status: number) => output.drain().then(() => process.exit(status));
      const started = gateway();
      if (!started) return void exit(128 + constants.signals[signal]);
      started.close().then(
        () => exit(0),
        (err: unknown) => {
          log.fatal({ err }, 'not stopped in order');
          return exit(1);
        },
      );
    });
  }
}
