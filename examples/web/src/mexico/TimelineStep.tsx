import type {
  MexicoStepResult,
  MexicoValidationStepName,
  ValidationStepFragment,
} from '../graphql/graphql.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';

const meanings: Readonly<Record<MexicoValidationStepName, readonly [string, string]>> = {
  SCHEMA: ['Schema', 'Is the XML a CFDI as its schema wants it?'],
  AUTHORITY_STATUS: ['Tax authority', 'Does the authority know it, and is it in force?'],
  RFC: ['Taxpayers', 'Are both RFCs registered, and on no list?'],
  OTHER: ['Another step', 'A step that is not described.'],
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
