import type { MexicoValidationResult, ValidationRunFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { localDateTime } from '../shared/dates.ts';
import { Panel } from '../shared/Panel.tsx';
import { wordsOf } from '../shared/value-words.ts';
import { words as shared } from '../shared/words.ts';
import { Timeline } from './Timeline.tsx';
import { words } from './words.ts';

const results: Readonly<Record<MexicoValidationResult, readonly [Tone, Text]>> = {
  VALID: ['good', words.valid],
  INVALID: ['bad', words.invalid],
  UNKNOWN: ['warning', shared.notKnown],
};

export function ValidationReport({ validation }: { readonly validation: ValidationRunFragment }) {
  const { documentId, uuid, result, rawResult, validatedAt, invalidReason, steps } = validation;
  const [tone, word] = wordsOf(results, result);
  return (
    <Panel title={t(shared.document, { id: documentId })} aside={<Badge tone={tone}>{t(word)}</Badge>}>
      <div className="stack">
        <dl className="facts">
          <div>
            <dt>Folio Fiscal</dt>
            <dd className="mono">{uuid}</dd>
          </div>
          <div>
            <dt>{t(words.validated)}</dt>
            <dd>
              {validatedAt === null ? (
                t(shared.notKnown)
              ) : (
                <time dateTime={validatedAt}>{localDateTime(validatedAt)}</time>
              )}
            </dd>
          </div>
        </dl>
        {invalidReason !== null && (
          <div className="notice notice-bad">
            <p className="notice-title">{t(words.whyInvalid)}</p>
            <p>{invalidReason}</p>
          </div>
        )}
        {result === 'UNKNOWN' && (
          <div className="notice notice-warning">
            <p>{t(words.undocumented, { result: rawResult })}</p>
          </div>
        )}
        <Timeline steps={steps} />
      </div>
    </Panel>
  );
}
