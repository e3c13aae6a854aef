import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { FileDrop } from '../shared/FileDrop.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { EarlierScan } from './EarlierScan.tsx';
import { rememberedScan } from './pending-scan.ts';
import { ScanDesk } from './ScanDesk.tsx';
import './scan.css';

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
      <ViewHeader title="Scan an identity card">
        The picture is sent unchanged. The service returns each value that it read, with its position.
      </ViewHeader>
      {earlier && <EarlierScan scan={earlier} onClose={() => setEarlier(null)} />}
      {file === null ? (
        <Panel
          title="Picture of a card"
          aside={<Button onClick={() => void takeSample()}>Use the sample card</Button>}
        >
          <FileDrop label="Choose a picture" accept="image/*,application/pdf" onFile={take}>
            or drop one here. PNG and JPEG are shown; other types are sent without a preview.
          </FileDrop>
        </Panel>
      ) : (
        <ScanDesk key={turn} file={file} onOtherFile={() => take(null)} />
      )}
    </>
  );
}
