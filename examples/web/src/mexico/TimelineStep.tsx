import type {
  MexicoStepResult,
  MexicoValidationStepName,
  ValidationStepFragment,
} from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { wordsOf } from '../shared/value-words.ts';
import { words as shared } from '../shared/words.ts';
import { words } from './words.ts';

const meanings: Readonly<Record<MexicoValidationStepName, readonly [Text, Text]>> = {
  SCHEMA: [words.schema, words.schemaQuestion],
  AUTHORITY_STATUS: [words.authority, words.authorityQuestion],
  RFC: [words.taxpayers, words.taxpayersQuestion],
  OTHER: [words.other, words.otherQuestion],
};

const results: Readonly<Record<MexicoStepResult, readonly [Tone, Text]>> = {
  PASS: ['good', words.passed],
  FAIL: ['bad', words.failed],
  UNKNOWN: ['warning', shared.notKnown],
};

interface TimelineStepProps {
  readonly name: MexicoValidationStepName;
  /** undefined: it did not run. */
  readonly step: ValidationStepFragment | undefined;
}

export function TimelineStep({ name, step }: TimelineStepProps) {
  const isUsual = Object.hasOwn(meanings, name) && name !== 'OTHER';
  const [title, question] = meanings[isUsual ? name : 'OTHER'];
  const [tone, word] = step ? wordsOf(results, step.result) : (['neutral', words.didNotRun] as const);
  return (
    <li className={`timeline-step timeline-${tone}`}>
      <div className="row">
        <h3>{!isUsual && step ? step.key : t(title)}</h3>
        <Badge tone={tone}>{step?.result === 'UNKNOWN' ? step.rawResult : t(word)}</Badge>
      </div>
      <p className="hint">{t(question)}</p>
      {step?.detail != null && <p className="timeline-detail">{step.detail}</p>}
    </li>
  );
}
