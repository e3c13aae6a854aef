import { sharedText, t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { type LineDraft, newLine } from './draft.ts';
import { LineFields } from './LineFields.tsx';
import { words } from './words.ts';

interface LineListProps {
  readonly lines: readonly LineDraft[];
  onChange(lines: readonly LineDraft[]): void;
}

export function LineList({ lines, onChange }: LineListProps) {
  return (
    <section className="stack" aria-label={sharedText('field.lines')}>
      {lines.map((line, index) => (
        <LineFields
          key={line.id}
          line={line}
          index={index}
          onChange={(changed) => onChange(lines.with(index, changed))}
          onRemove={() => onChange(lines.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button onClick={() => onChange([...lines, newLine()])}>{t(words.addLine)}</Button>
      </div>
    </section>
  );
}
