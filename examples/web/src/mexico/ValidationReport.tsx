import type { MexicoValidationResult, ValidationRunFragment } from '../graphql/graphql.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { localDateTime } from '../shared/dates.ts';
import { Panel } from '../shared/Panel.tsx';
import { Timeline } from './Timeline.tsx';

const words: Readonly<Record<MexicoValidationResult, readonly [Tone, string]>> = {
  VALID: ['good', 'Valid'],
  INVALID: ['bad', 'Invalid'],
  UNKNOWN: ['warning', 'Not known'],
};

export function ValidationReport({ validation }: { readonly validation: ValidationRunFragment }) {
  const { documentId, uuid, result, rawResult, validatedAt, invalidReason, steps } = validation;
  const [tone, word] = words[result];
  return (
    <Panel title={`Document ${documentId}`} aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="stack">
        <dl className="facts">
          <div>
            <dt>Folio Fiscal</dt>
            <dd className="mono">{uuid}</dd>
          </div>
          <div>
            <dt>Validated</dt>
            <dd>
              {validatedAt === null ? (
                'not known'
              ) : (
                <time dateTime={validatedAt}>{localDateTime(validatedAt)}</time>
              )}
            </dd>
          </div>
        </dl>
        {invalidReason !== null && (
          <div className="notice notice-bad">
            <p className="notice-title">Why it is invalid</p>
            <p>{invalidReason}</p>
          </div>
        )}
        {result === 'UNKNOWN' && (
          <div className="notice notice-warning">
            <p>The service returned “{rawResult}”, which is not documented. Do not treat it as valid.</p>
          </div>
        )}
        <Timeline steps={steps} />
      </div>
    </Panel>
  );
}
