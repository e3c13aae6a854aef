/** What the log says about the errors of an operation. */
import type { GraphQLError } from 'graphql';
import type { Bound } from '../bounds.ts';
import { GatewayError, graverOf, type SideEffect } from '../errors.ts';

export class ErrorSummary {
  readonly #codes: string[] = [];
  readonly #bounds: Bound[] = [];
  #sideEffect: SideEffect | undefined;
  #reason: string | undefined;

  /** `errors`: masked. */
  add(errors: readonly GraphQLError[]): void {
    for (const { message, originalError, extensions } of errors) {
      const { code, bound, sideEffect } = extensions as {
        code: string;
        bound?: Bound;
        sideEffect: SideEffect;
      };
      if (!this.#codes.includes(code)) this.#codes.push(code);
      if (bound && !this.#bounds.includes(bound)) this.#bounds.push(bound);
      this.#sideEffect = graverOf(sideEffect, this.#sideEffect ?? sideEffect);
      // Messages about an input may quote the caller or the service.
      if (originalError instanceof GatewayError && !code.startsWith('BAD_')) this.#reason ??= message;
    }
  }

  /** The code of the first error; undefined without errors. */
  get code(): string | undefined {
    return this.#codes[0];
  }

  /** The members of the log line, each undefined without errors. */
  members() {
    return {
      outcome: oneOrAll(this.#codes),
      bound: oneOrAll(this.#bounds),
      /** Of several, the one that has changed most. */
      sideEffect: this.#sideEffect,
      /** The message of the first error that the gateway has worded: it contains no data. */
      reason: this.#reason,
    };
  }
}

/** A single value, or a list of several. */
function oneOrAll<T>(all: readonly T[]): T | readonly T[] | undefined {
  return all.length > 1 ? all : all[0];
}
