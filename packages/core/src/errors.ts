/** The engine's public error type, typed by the placeholders of each code's message. */
import { errorTable, type ErrorKind } from './error-table.js';
import type { ErrorDetail } from './records/index.js';
import { shownText } from './shown-text.js';

export type ErrorCode = keyof typeof errorTable;

export type ErrorFacts = Readonly<Record<string, string | number>>;

/** Placeholder names in a message; other braces are literal text. */
type NamesIn<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;

/** Names of the facts an error's message needs. */
export type FactName<Code extends ErrorCode> = NamesIn<(typeof errorTable)[Code]['message']>;

/** The facts an error's message needs. */
export type FactsOf<Code extends ErrorCode> = Readonly<Record<FactName<Code>, string | number>>;

export interface ErrorOptions {
  /** Fill the message's placeholders; additional facts are kept on the error. */
  readonly facts?: ErrorFacts;
  /** One entry per invalid path of the input. */
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
  /** Location, appended to the message. */
  readonly where?: string;
}

/** Facts that a block's error includes automatically. */
export type LocationFact = 'policyId' | 'tag' | 'blockType';

/**
 * Options required with a code, given that the facts `Known` are supplied: all other facts of the message are required.
 */
export type ErrorOptionsOf<Code extends ErrorCode, Known extends string = never> = [
  Exclude<FactName<Code>, Known>,
] extends [never]
  ? [options?: ErrorOptions]
  : [options: ErrorOptions & { readonly facts: Omit<FactsOf<Code>, Known> }];

/** A code with everything its message needs. */
export type ErrorArguments = { [Code in ErrorCode]: [code: Code, ...ErrorOptionsOf<Code>] }[ErrorCode];

/** The engine's public error type. */
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
    const shown = shownFacts(facts);
    const message = kind.message.replace(/\{(\w+)\}/g, (_, name: string) => String(shown[name] ?? '?'));
    super(
      where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.status = kind.status;
    this.retryable = kind.retryable ?? false;
    this.facts = shown;
    this.details = details.map((each) => ({ ...each, message: shownText(each.message) }));
  }
}

/** Errors are told to callers, and written to logs and journals. */
const shownFacts = (facts: ErrorFacts): ErrorFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? shownText(fact) : fact]),
  );

/** An error with this code, whose message facts are known to be present. */
export type BlockworkErrorOf<Code extends ErrorCode> = ErrorCode extends Code
  ? BlockworkError
  : BlockworkError & { readonly code: Code; readonly facts: FactsOf<Code> };

export const isBlockworkError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is BlockworkErrorOf<Code> => error instanceof BlockworkError && (code === undefined || error.code === code);
