import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { EarlierScan } from './EarlierScan.tsx';
import { rememberedScan } from './pending-scan.ts';
import { ScanDesk } from './ScanDesk.tsx';
import './scan.css';
import { t } from '../language/language.ts';
import { words } from './words.ts';

export function ScanView() {
  const [file, setFile] = useState<File | null>(null);
  /** Choosing the same file again is another scan. */
  const [turn, setTurn] = useState(0);
  const [earlier, setEarlier] = useState(rememberedScan);

  function take(next: File | null) {
    setEarlier(null);
    setFile(next);
    setTurn(turn + 1);
  }

  async function takeSample() {
    const picture = await (await fetch('/sample-card.jpg')).blob();
    take(new File([picture], 'sample-card.jpg', { type: picture.type }));
  }

  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      {earlier && <EarlierScan scan={earlier} onClose={() => setEarlier(null)} />}
      {file === null ? (
        <Panel
          title={t(words.picture)}
          aside={<Button onClick={() => void takeSample()}>{t(words.useSample)}</Button>}
        >
          <FileDrop label={t(words.choose)} accept="image/*,application/pdf" onFile={take}>
            {t(words.orDrop)}
          </FileDrop>
        </Panel>
      ) : (
        <ScanDesk key={turn} file={file} onOtherFile={() => take(null)} />
      )}
    </>
  );
}
