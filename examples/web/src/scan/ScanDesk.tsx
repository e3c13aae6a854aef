import { useMemo, useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { RefusalNotice } from '../shared/RefusalNotice.tsx';
import { Warnings } from '../shared/Warnings.tsx';
import { words as shared } from '../shared/words.ts';
import { CardPicture } from './CardPicture.tsx';
import { boxesOfFields, shownPage, shownTextBoxes } from './card.ts';
import { FieldList } from './FieldList.tsx';
import { type Extent, pageOf } from './page.ts';
import { ScanForm } from './ScanForm.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import { useScan } from './use-scan.ts';
import { words } from './words.ts';

interface ScanDeskProps {
  readonly file: File;
  onOtherFile(): void;
}

/** One picture before, during and after its scan. */
export function ScanDesk({ file, onOtherFile }: ScanDeskProps) {
  const [settings, setSettings] = useState({ queueId: '7', handwritten: false });
  const { scan, sent, isAgain, isScanning, error, refusal, result } = useScan(file, settings);
  const [picture, setPicture] = useState<Extent | null>(null);
  const [litKey, setLitKey] = useState<string | null>(null);
  const [hasAllBoxes, setAllBoxes] = useState(false);

  const card = result?.card ?? null;
  const fieldBoxes = useMemo(() => (card ? boxesOfFields(card) : []), [card]);
  const textBoxes = useMemo(() => (card ? shownTextBoxes(card) : []), [card]);
  const page = useMemo(() => {
    if (card === null || picture === null) return null;
    const boxes = [
      ...textBoxes,
      ...fieldBoxes.flatMap(({ value, keyword }) => (keyword ? [value, keyword] : [value])),
    ];
    return pageOf(card.pageSizes[shownPage], picture, boxes);
  }, [card, picture, textBoxes, fieldBoxes]);

  return (
    <div className="scan-desk">
      <Panel title={file.name} aside={<Button onClick={onOtherFile}>{t(words.another)}</Button>}>
        <CardPicture
          file={file}
          page={page}
          fieldBoxes={fieldBoxes}
          textBoxes={hasAllBoxes ? textBoxes : []}
          litKey={litKey}
          onSize={setPicture}
        />
        {card !== null && picture !== null && page === null && (
          <p className="hint scan-note">{t(words.boxesDoNotFit)}</p>
        )}
        {page !== null && (
          <label className="check scan-note">
            <input type="checkbox" checked={hasAllBoxes} onChange={() => setAllBoxes(!hasAllBoxes)} />
            {t(words.showBoxes, { count: textBoxes.length })}
          </label>
        )}
      </Panel>
      <div className="stack">
        <Panel title={t(words.scan)}>
          <ScanForm
            settings={settings}
            isScanning={isScanning}
            isAgain={isAgain}
            onChange={setSettings}
            onScan={scan}
          />
          {isScanning && <UploadProgress sent={sent} size={file.size} />}
        </Panel>
        {error && <ErrorNotice error={error} isKeyed onRetry={scan} />}
        {refusal && <RefusalNotice refusal={refusal} />}
        {result && (
          <Panel
            title={t(words.valuesRead)}
            aside={<span className="hint">{t(shared.document, { id: result.documentId })}</span>}
          >
            <Warnings warnings={result.warnings} />
            <FieldList
              fields={result.card.fields}
              canLight={page !== null}
              litKey={litKey}
              onLight={setLitKey}
            />
          </Panel>
        )}
      </div>
    </div>
  );
}
