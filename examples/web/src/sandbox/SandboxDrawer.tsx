import { useEffect, useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { type ActiveFault, activeFaults, apply, type Control, controls } from './controls.ts';
import './sandbox.css';

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
      setNotice('The sandbox did not respond.');
    }
  }

  async function use(control: Control) {
    try {
      await apply(control);
      await show(notices[control.path]);
    } catch {
      setNotice('The sandbox did not respond.');
    }
  }

  return (
    <details className="sandbox-drawer" onToggle={() => void show('')}>
      <summary>Sandbox</summary>
      <div className="sandbox-controls">
        {controls.map((control) => (
          <Button key={control.label} onClick={() => void use(control)}>
            {control.label}
          </Button>
        ))}
      </div>
      <p role="status">
        {notice} {faults.length === 0 ? 'No fault is active.' : `Active: ${faults.map(wordsOf).join('; ')}.`}
      </p>
    </details>
  );
}

const notices: Readonly<Record<Control['path'], string>> = {
  faults: '',
  clock: 'The clock of the sandbox was advanced.',
  course: 'Documents that are imported now are decided in some seconds.',
};

function wordsOf({ endpoint, fault, times }: ActiveFault): string {
  const calls = times === null ? 'until it is reset' : `for ${times} ${times === 1 ? 'call' : 'calls'}`;
  return `${fault} at ${endpoint === '*' ? 'all endpoints' : endpoint}, ${calls}`;
}
