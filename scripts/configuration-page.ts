/** Generates `docs/configuration.md` from the table of variables. */
import { configTable } from '../src/config/variables.ts';

const introduction = `# Configuration

Which environment variables does the gateway read, and what is the default of each?

Generated from \`src/config/variables.ts\`. \`npm start -- --help\` prints the same table, \`--print-config\` the values in use with secrets masked, and \`--check\` ends with 0 or 78 without starting a gateway. The gateway reads the environment once, at start, reports all problems together and exits with status 78 (EX_CONFIG) if there is one. An empty variable counts as unset. A misspelt variable is a warning in the log, with the nearest name.

| variable | default | meaning |
| --- | --- | --- |
`;

const readByLibraries = `
## Variables that libraries read

| variable | default | meaning |
| --- | --- | --- |
| \`OTEL_SERVICE_NAME\` | folio | Name of the gateway in traces and metrics |
| \`OTEL_RESOURCE_ATTRIBUTES\` | none | More attributes of the gateway in traces and metrics |
| \`OTEL_EXPORTER_OTLP_HEADERS\`, \`OTEL_EXPORTER_OTLP_TIMEOUT\`, \`OTEL_EXPORTER_OTLP_COMPRESSION\`, \`OTEL_EXPORTER_OTLP_CERTIFICATE\` | as the OpenTelemetry specification says | How traces and metrics are sent to the collector |
| \`NODE_EXTRA_CA_CERTS\` | none | File of certificate authorities that Node.js trusts in addition |
`;

export function configurationPage(): string {
  const rows = configTable.map((row) => `| \`${row.name}\` | ${row.default} | ${row.description} |\n`);
  return `${introduction}${rows.join('')}${readByLibraries}`;
}
