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

export function FapiaoView() {
  const { draft, setDraft, create, isSending, isCurrent, error, refusal, accepted } = useFapiao();
  const editor = useRef<XmlEditorHandle>(null);
  const problems = isCurrent ? (refusal?.problems ?? []) : [];
  const badLine =
    problems.map(({ message }) => positionIn(message)?.line).find((line) => line !== undefined) ?? null;

  async function take(file: File) {
    setDraft({ ...draft, xml: await file.text(), file });
  }

  return (
    <>
      <ViewHeader title="Fapiao from XML">
        The XML e-invoice is sent byte for byte, because it is signed. The service makes a PDF document from
        it.
      </ViewHeader>
      <div className="fapiao-desk">
        <Panel
          title="XML e-invoice"
          aside={
            <Button onClick={() => setDraft({ ...draft, xml: sample, file: null })}>Use the sample</Button>
          }
        >
          <div className="stack">
            <FileDrop
              label="Choose an XML file"
              accept=".xml,application/xml,text/xml"
              onFile={(file) => void take(file)}
            >
              or drop one here, or type below
            </FileDrop>
            <XmlEditor
              ref={editor}
              xml={draft.xml}
              badLine={badLine}
              onChange={(xml) => setDraft({ ...draft, xml, file: null })}
            />
            {draft.file && (
              <p className="hint">
                {draft.file.name} is sent unchanged. If you edit the text, the text is sent instead, and the
                signature breaks.
              </p>
            )}
          </div>
        </Panel>
        <div className="stack">
          <Panel title="Request">
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
