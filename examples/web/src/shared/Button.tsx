import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'primary' | 'plain' | 'quiet';
  /** Shown, and announced to screen readers. The button stays enabled, because every write has an idempotency key. */
  readonly isBusy?: boolean;
}

export function Button({ tone = 'plain', isBusy = false, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} className={`button button-${tone}`} aria-busy={isBusy}>
      {isBusy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
