import { useRef } from 'react';
import { Button } from '../shared/Button.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { Acknowledgement } from './Acknowledgement.tsx';
import { FapiaoForm } from './FapiaoForm.tsx';
import sample from './sample.xml?raw';
import { useFapiao } from './use-fapiao.ts';
import { XmlEditor, type XmlEditorHandle } from './XmlEditor.tsx';
import { XmlProblems } from './XmlProblems.tsx';
import { positionIn } from './xml-position.ts';
import './fapiao.css';
import { t } from '../language/language.ts';
import { words as shared } from '../shared/words.ts';
import { words } from './words.ts';

export function FapiaoView() {
  const { draft, setDraft, create, isSending, isCurrent, error, refusal, accepted } = useFapiao();
  const editor = useRef<XmlEditorHandle>(null);
  const problems = isCurrent ? (refusal?.problems ?? []) : [];
  const badLine =
    problems.map(({ message }) => positionIn(message)?.line).find((line) => line !== undefined) ?? null;

  async function take(file: File) {
    const xml = await file.text();
    // The form may have changed meanwhile.
    setDraft((before) => ({ ...before, xml, file }));
  }

  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      <div className="fapiao-desk">
        <Panel
          title={t(words.xmlInvoice)}
          aside={
            <Button onClick={() => setDraft({ ...draft, xml: sample, file: null })}>
              {t(shared.useSample)}
            </Button>
          }
        >
          <div className="stack">
            <FileDrop
              label={t(words.choose)}
              accept=".xml,application/xml,text/xml"
              onFile={(file) => void take(file)}
            >
              {t(words.orDrop)}
            </FileDrop>
            <XmlEditor
              ref={editor}
              xml={draft.xml}
              badLine={badLine}
              onChange={(xml) => setDraft({ ...draft, xml, file: null })}
            />
            {draft.file && <p className="hint">{t(words.sentUnchanged, { file: draft.file.name })}</p>}
          </div>
        </Panel>
        <div className="stack">
          <Panel title={t(words.request)}>
            <FapiaoForm draft={draft} isSending={isSending} onChange={setDraft} onCreate={create} />
          </Panel>
          {error && <ErrorNotice error={error} isKeyed onRetry={create} />}
          {refusal && <XmlProblems refusal={refusal} onGoTo={(position) => editor.current?.goTo(position)} />}
          {accepted && (
            <Acknowledgement
              requestId={accepted.requestId}
              message={accepted.message}
              warnings={accepted.warnings}
            />
          )}
        </div>
      </div>
    </>
  );
}
