/** Writes the inputs and the names of the endpoints into `docs/sandbox.md`; the rest of the page is written by hand. */
import { createClock } from '../src/sandbox/clock.ts';
import { createCourse } from '../src/sandbox/course.ts';
import { credentialInputs } from '../src/sandbox/credentials.ts';
import { createDocuments } from '../src/sandbox/documents.ts';
import { createEndpoints, endpointNames } from '../src/sandbox/named-endpoints.ts';

const head = '| input | value | what happens |\n| --- | --- | --- |\n';

export function sandboxPage(current: string): string {
  const names = endpointNames.map((name) => `\`${name}\``);
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return current
    .replace(/\| input \| value \| what happens \|\n(?:\|.*\n)+/, () => head + rows().join(''))
    .replace(/^Endpoints are .*$/m, () => `Endpoints are ${listed}; \`*\` is all of them.`);
}

/** The name of an input is in its first row only. */
function rows(): string[] {
  const clock = createClock(() => 0);
  const parts = { documents: createDocuments(), clock, course: createCourse(), speed: 1 };
  const inputs = [credentialInputs, ...createEndpoints(parts).map(({ inputs = {} }) => inputs)];
  return inputs
    .flatMap(Object.entries)
    .flatMap(([input, effects]) =>
      Object.entries(effects).map(
        ([value, effect], index) => `| ${index === 0 ? `${input} ` : ''}| ${value} | ${effect} |\n`,
      ),
    );
}
