import { useEffect, useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { type ActiveFault, activeFaults, apply, type Control, controls } from './controls.ts';
import './sandbox.css';
import { t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { words } from './words.ts';

/** Shown only when the page's server forwards the controls of the embedded sandbox. */
export function SandboxDrawer() {
  const [faults, setFaults] = useState<readonly ActiveFault[]>();
  const [notice, setNotice] = useState('');

  useEffect(() => {
    activeFaults().then(setFaults, () => {});
  }, []);
  if (!faults) return null;

  async function show(done: string) {
    try {
      setFaults(await activeFaults());
      setNotice(done);
    } catch {
      setNotice(t(words.noResponse));
    }
  }

  async function use(control: Control) {
    try {
      await apply(control);
      await show(t(notices[control.path]));
    } catch {
      setNotice(t(words.noResponse));
    }
  }

  return (
    <details className="sandbox-drawer" onToggle={() => void show('')}>
      <summary>{t(words.sandbox)}</summary>
      <div className="sandbox-controls">
        {controls.map((control) => (
          <Button key={control.label[0]} onClick={() => void use(control)}>
            {t(control.label)}
          </Button>
        ))}
      </div>
      <p role="status">
        {notice}{' '}
        {faults.length === 0 ? t(words.noFault) : t(words.active, { faults: faults.map(wordsOf).join('; ') })}
      </p>
    </details>
  );
}

const notices: Readonly<Record<Control['path'], Text>> = {
  faults: ['', '', '', ''],
  clock: words.clockAdvanced,
  course: words.courseChanged,
};

function wordsOf({ endpoint, fault, times }: ActiveFault): string {
  const some = times === 1 ? t(words.oneCall) : t(words.calls, { count: times ?? 0 });
  const calls = times === null ? t(words.untilReset) : some;
  return t(words.fault, { fault, endpoint: endpoint === '*' ? t(words.allEndpoints) : endpoint, calls });
}
