import { useQuery } from 'urql';
import { MexicoValidationDocument, type MexicoValidationReference } from '../graphql/graphql.ts';
import { EmptyState } from '../shared/EmptyState.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Loading } from '../shared/Loading.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ValidationReport } from './ValidationReport.tsx';

export function ValidationResult({ by }: { readonly by: MexicoValidationReference }) {
  const [{ data, error, fetching }, reload] = useQuery({
    query: MexicoValidationDocument,
    variables: { by },
  });
  if (fetching) return <Loading>Loading …</Loading>;
  if (error) return <ErrorNotice error={error} onRetry={reload} />;
  const validation = data?.mexicoValidation ?? null;
  if (validation === null) {
    return (
      <Panel title={by.uuid ?? `Document ${by.documentId}`}>
        <EmptyState title="No validation yet">
          The service has no validation of this document: it is neither valid nor invalid.
        </EmptyState>
      </Panel>
    );
  }
  return <ValidationReport validation={validation} />;
}
