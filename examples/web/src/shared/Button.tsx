import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'primary' | 'plain' | 'quiet';
  /** Shown, and told to screen readers; pressing stays possible, since every write carries a key of its own. */
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
