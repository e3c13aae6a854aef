/** Writes the names of the endpoints into `docs/sandbox.md`; the rest of the page is written by hand. */
import { endpointNames } from '../src/sandbox/endpoints.ts';

export function sandboxPage(current: string): string {
  const names = endpointNames.map((name) => `\`${name}\``);
  return current.replace(
    /^Endpoints are .*$/m,
    `Endpoints are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}; \`*\` is all of them.`,
  );
}
