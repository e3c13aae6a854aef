import { useQuery } from 'urql';
import { MexicoValidationDocument, type MexicoValidationReference } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { EmptyState } from '../shared/EmptyState.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Loading } from '../shared/Loading.tsx';
import { Panel } from '../shared/Panel.tsx';
import { words as shared } from '../shared/words.ts';
import { ValidationReport } from './ValidationReport.tsx';
import { words } from './words.ts';

export function ValidationResult({ by }: { readonly by: MexicoValidationReference }) {
  const [{ data, error, fetching }, reload] = useQuery({
    query: MexicoValidationDocument,
    variables: { by },
  });
  if (fetching) return <Loading>{t(shared.loading)}</Loading>;
  if (error) return <ErrorNotice error={error} onRetry={reload} />;
  const validation = data?.mexicoValidation ?? null;
  if (validation === null) {
    return (
      <Panel title={by.uuid ?? t(shared.document, { id: by.documentId ?? '' })}>
        <EmptyState title={t(words.none)}>{t(words.noneAbout)}</EmptyState>
      </Panel>
    );
  }
  return <ValidationReport validation={validation} />;
}
