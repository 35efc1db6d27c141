/** The one error type that leaves the engine, typed by what the message of each code states. */
import { errorTable, type ErrorKind } from './error-table.js';
import type { ErrorDetail } from './records/index.js';

export type ErrorCode = keyof typeof errorTable;

export type ErrorFacts = Readonly<Record<string, string | number>>;

/** The names in braces of a message; other braces belong to the text. */
type NamesIn<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;

/** The names of the facts that the message of an error states. */
export type FactName<Code extends ErrorCode> = NamesIn<(typeof errorTable)[Code]['message']>;

/** The facts that the message of an error states. */
export type FactsOf<Code extends ErrorCode> = Readonly<Record<FactName<Code>, string | number>>;

export interface ErrorOptions {
  /** Fills the message; kept on the error, with any others that are given. */
  readonly facts?: ErrorFacts;
  /** Where in the input, for each failure. */
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
  /** Where it happened, said after the message. */
  readonly where?: string;
}

/** Facts that an error of a block has by itself. */
export type LocationFact = 'policyId' | 'tag' | 'blockType';

/** What is given with a code, where the facts `Known` are known already: all others of the message are required. */
export type ErrorOptionsOf<Code extends ErrorCode, Known extends string = never> = [
  Exclude<FactName<Code>, Known>,
] extends [never]
  ? [options?: ErrorOptions]
  : [options: ErrorOptions & { readonly facts: Omit<FactsOf<Code>, Known> }];

/** A code with all that its message needs. */
export type ErrorArguments = { [Code in ErrorCode]: [code: Code, ...ErrorOptionsOf<Code>] }[ErrorCode];

/** The one error type that leaves the engine. */
export class BlockworkError extends Error {
  override readonly name = 'BlockworkError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly facts: ErrorFacts;
  readonly details: readonly ErrorDetail[];

  constructor(...[code, options = {}]: ErrorArguments) {
    const kind: ErrorKind = errorTable[code];
    const { facts = {}, details = [], cause, where }: ErrorOptions = options;
    const message = kind.message.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? '?'));
    super(
      where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.status = kind.status;
    this.retryable = kind.retryable ?? false;
    this.facts = facts;
    this.details = details;
  }
}

/** An error with this code; the facts of its message are known to be there. */
export type BlockworkErrorOf<Code extends ErrorCode> = ErrorCode extends Code
  ? BlockworkError
  : BlockworkError & { readonly code: Code; readonly facts: FactsOf<Code> };

export const isBlockworkError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is BlockworkErrorOf<Code> => error instanceof BlockworkError && (code === undefined || error.code === code);
