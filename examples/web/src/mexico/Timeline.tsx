import type { MexicoValidationStepName, ValidationStepFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { TimelineStep } from './TimelineStep.tsx';
import { words } from './words.ts';

const usualSteps: readonly MexicoValidationStepName[] = ['SCHEMA', 'AUTHORITY_STATUS', 'RFC'];

/** The three usual steps, including those that did not run, and any other step of the service. */
export function Timeline({ steps }: { readonly steps: readonly ValidationStepFragment[] }) {
  const others = steps.filter(({ name }) => !usualSteps.includes(name));
  return (
    <ol className="timeline" aria-label={t(words.steps)}>
      {usualSteps.map((name) => (
        <TimelineStep key={name} name={name} step={steps.find((step) => step.name === name)} />
      ))}
      {others.map((step) => (
        <TimelineStep key={step.key} name={step.name} step={step} />
      ))}
    </ol>
  );
}
