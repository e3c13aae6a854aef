import { type HTMLAttributes, type ReactNode, useId } from 'react';
import { FieldProblems } from './FieldProblems.tsx';
import type { Problem } from './problem.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  readonly problems?: readonly Problem[];
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly isRequired?: boolean;
}

const noProblems: readonly Problem[] = [];

export function TextField({
  label,
  value,
  onChange,
  hint,
  placeholder,
  problems = noProblems,
  inputMode = 'text',
  isRequired = false,
}: TextFieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problems.length > 0 && `${id}-problems`].filter(
    Boolean,
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        value={value}
        placeholder={placeholder}
        inputMode={inputMode}
        required={isRequired}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problems.some(({ severity }) => severity === 'ERROR')}
        aria-describedby={described.join(' ') || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <FieldProblems id={`${id}-problems`} problems={problems} />
    </div>
  );
}
