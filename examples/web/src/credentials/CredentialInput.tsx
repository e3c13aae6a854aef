import { t } from '../language/language.ts';
import { isSendable } from './credentials.ts';
import { words } from './words.ts';

interface CredentialInputProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isShown: boolean;
  onChange(value: string): void;
  onLeave(): void;
}

/** Not a password field, because browsers offer to store a password. */
export function CredentialInput({
  id,
  label,
  placeholder,
  value,
  isShown,
  onChange,
  onLeave,
}: CredentialInputProps) {
  const complaintId = `${id}-complaint`;
  const isGood = isSendable(value);
  return (
    <div className="credential">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={isShown ? 'input mono' : 'input mono concealed'}
        type="text"
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={!isGood}
        aria-describedby={isGood ? undefined : complaintId}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
      {!isGood && (
        <p id={complaintId} className="problem problem-error">
          {t(words.onlyAscii)}
        </p>
      )}
    </div>
  );
}
