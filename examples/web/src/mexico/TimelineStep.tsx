import type {
  MexicoStepResult,
  MexicoValidationStepName,
  ValidationStepFragment,
} from '../graphql/graphql.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';

const meanings: Readonly<Record<MexicoValidationStepName, readonly [string, string]>> = {
  SCHEMA: ['Schema', 'Does the XML match the schema of a CFDI?'],
  AUTHORITY_STATUS: ['Tax authority', 'Is the CFDI registered with the authority and in force?'],
  RFC: ['Taxpayers', 'Are both RFCs registered, and not on list 69-B?'],
  OTHER: ['Another step', 'A step that the service does not describe.'],
};

const words: Readonly<Record<MexicoStepResult, readonly [Tone, string]>> = {
  PASS: ['good', 'Passed'],
  FAIL: ['bad', 'Failed'],
  UNKNOWN: ['warning', 'Not known'],
};

interface TimelineStepProps {
  readonly name: MexicoValidationStepName;
  /** undefined: it did not run. */
  readonly step: ValidationStepFragment | undefined;
}

export function TimelineStep({ name, step }: TimelineStepProps) {
  const [title, question] = meanings[name];
  const [tone, word] = step ? words[step.result] : (['neutral', 'Did not run'] as const);
  return (
    <li className={`timeline-step timeline-${tone}`}>
      <div className="row">
        <h3>{name === 'OTHER' && step ? step.key : title}</h3>
        <Badge tone={tone}>{step?.result === 'UNKNOWN' ? step.rawResult : word}</Badge>
      </div>
      <p className="hint">{question}</p>
      {step?.detail != null && <p className="timeline-detail">{step.detail}</p>}
    </li>
  );
}
