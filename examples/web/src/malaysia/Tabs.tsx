import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface Tab {
  readonly name: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly current: number;
  onChange(current: number): void;
  /** Shown next to the tabs. */
  readonly aside: ReactNode;
}

/** Tabs by the WAI-ARIA practices: arrow keys move between them. A hidden tab keeps its state. */
export function Tabs({ tabs, current, onChange, aside }: TabsProps) {
  const id = useId();
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (current + step + tabs.length) % tabs.length;
    onChange(next);
    buttons.current[next]?.focus();
  }

  return (
    <>
      <div className="tabs">
        <div role="tablist">
          {tabs.map(({ name }, index) => (
            <button
              key={name}
              ref={(button) => {
                buttons.current[index] = button;
              }}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-selected={index === current}
              aria-controls={`${id}-panel-${index}`}
              tabIndex={index === current ? 0 : -1}
              onClick={() => onChange(index)}
              onKeyDown={move}
            >
              {name}
            </button>
          ))}
        </div>
        {aside}
      </div>
      {tabs.map(({ name, content }, index) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== current}
        >
          {content}
        </div>
      ))}
    </>
  );
}
