/** The process: configuration, start, signals, exit status. */
import { type Config, ConfigurationError, configWarnings, describeConfig, readConfig } from './config.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { UnusableManifest } from './graphql/persisted-operations.ts';
import { EvictingRedis } from './state/evicting-redis.ts';
import { batchedOutput, createLog, type Log } from './telemetry/log.ts';

/** EX_CONFIG of sysexits.h. */
const exitConfiguration = 78;

if (process.argv.includes('--help')) {
  console.log(describeConfig());
} else {
  await run();
}

async function run(): Promise<void> {
  const config = configOrExit();
  const log = createLog({
    level: config.logLevel,
    production: config.production,
    destination: config.production ? batched() : await readable(),
  });
  for (const warning of configWarnings(config, process.env)) log.warn(warning);
  const gateway = await startOrExit(config, log);
  if (config.service.kind === 'sandbox') {
    console.log(`sandbox answers at ${gateway.serviceUrl} (${config.service.reason})`);
  }
  if (gateway.metricsUrl) console.log(`metrics at ${gateway.metricsUrl}`);
  console.log(`listening on ${gateway.url}`);
  stopOnSignals(gateway);
}

function batched() {
  const { destination, flush } = batchedOutput();
  process.on('exit', flush);
  return destination;
}

/** In development the log is for people: the same lines, spelled out. */
async function readable() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize: process.stdout.isTTY, sync: true, singleLine: true });
}

async function startOrExit(config: Config, log: Log): Promise<Gateway> {
  try {
    return await startGateway(config, log);
  } catch (error) {
    if (!(error instanceof EvictingRedis || error instanceof UnusableManifest)) throw error;
    console.error(error.message);
    process.exit(exitConfiguration);
  }
}

function configOrExit() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(exitConfiguration);
  }
}

function stopOnSignals(gateway: Gateway): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal from an impatient operator ends the process at once.
      if (stopping) process.exit(1);
      stopping = true;
      gateway.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
