import { useState } from 'react';
import { CreateFapiaoDocument } from '../graphql/graphql.ts';
import { locale } from '../language/language.ts';
import { useIdempotencyKey } from '../shared/use-idempotency-key.ts';
import { useWrite } from '../shared/use-write.ts';

/** The XML as shown; `file` is set while the text is unchanged since the file was read. */
export interface FapiaoDraft {
  readonly xml: string;
  readonly file: File | null;
  readonly name: string;
  readonly queueId: string;
}

export function useFapiao() {
  const [draft, setDraft] = useState<FapiaoDraft>({ xml: '', file: null, name: '', queueId: '' });
  const [{ fetching, data, error }, mutate] = useWrite(CreateFapiaoDocument);
  const { xml, file, name, queueId } = draft;
  const { take } = useIdempotencyKey(JSON.stringify([xml, file !== null, name, queueId]));
  const [sentXml, setSentXml] = useState<string | null>(null);
  const outcome = data?.createFapiao;

  function create() {
    // A file is sent byte for byte, because it is signed; the text in the page loses line ends and encoding.
    const document = file ? { file } : { xml };
    setSentXml(xml);
    const input = { document, name: name || null, queueId: queueId || null, idempotencyKey: take() };
    void mutate({ input, locale: locale() });
  }

  return {
    draft,
    setDraft,
    create,
    isSending: fetching,
    /** Whether the result belongs to the text that is shown. */
    isCurrent: sentXml === xml,
    error: fetching ? undefined : error,
    refusal: outcome?.__typename === 'InvalidInput' ? outcome : null,
    accepted: outcome?.__typename === 'FapiaoRequest' ? outcome : null,
  };
}
