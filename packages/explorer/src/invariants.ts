/** Invariants: conditions that must hold after every move, as a sentence or a function. */
import type { DocumentRecord } from '@blockwork/core';
import { valueAt } from '@blockwork/core/block';

/** The state of the current run of the policy that an invariant can inspect. */
export interface InvariantView {
  /** Whole tokens minted; of one token, by name or id, or of all. */
  readonly minted: (token?: string) => number;
  /** Number of mints. */
  readonly mints: (token?: string) => number;
  /** Number of documents that have, or once had, this status, ignoring case. */
  readonly reached: (status: string, type?: string) => readonly DocumentRecord[];
  /** Effects of the last move, with the role of its user: `owner`, `without a role`, `timer` or a role of the policy. */
  readonly deed: Deed;
}

export interface Deed {
  readonly by: string;
  /** Tag of the block that was sent to. */
  readonly block: string;
  /** The button or other choice; empty if none. */
  readonly choice: string;
  /** Statuses that documents reached. */
  readonly statuses: readonly string[];
  readonly mints: number;
}

/** `false` or a text breaks the invariant; the text says how. */
export type InvariantFunction = (view: InvariantView) => boolean | string | undefined;

/**
 * A sentence, or a function with a name for reports.
 *
 * - `expect minted <= approved`: compares two quantities by `<=`, `<`, `>=`, `>`, `==` or `!=`. A quantity is a number,
 *   `minted` or `minted(Token)` (whole tokens), `mints` or `mints(Token)` (how often), a status such as `approved` or
 *   `"Waiting for approval"` (documents that have or had it), `count(type|Status)`, or `sum(type|Status, path)`: of the
 *   field in the subjects of these documents. Types are entity types; `*` is any.
 * - `only Verifier approves`: the roles, separated by commas, that may do it. What they do is `mints`, `uses tag`, `presses
 *   Button`, `sets "Status"`, or a verb that a status begins like: `approves` is `Approved`. `nobody mints` allows none.
 */
export type Invariant = string | { readonly name: string; readonly holds: InvariantFunction };

export interface CheckedInvariant {
  readonly name: string;
  /** `null` while it holds, otherwise the violation. */
  readonly check: (view: InvariantView) => string | null;
}

/** Throws `SyntaxError` for an invalid sentence. */
export function readInvariant(invariant: Invariant): CheckedInvariant {
  if (typeof invariant !== 'string') {
    const { name, holds } = invariant;
    return { name, check: (view) => described(holds(view)) };
  }
  const name = invariant.trim();
  const check = comparison(name) ?? permission(name);
  if (check !== null) return { name, check };
  throw new SyntaxError(
    `The invariant "${invariant}" is not understood. Write "expect minted <= approved" or "only Verifier approves".`,
  );
}

const described = (result: boolean | string | undefined): string | null =>
  result === false ? 'it does not hold' : typeof result === 'string' ? result : null;

type Check = CheckedInvariant['check'];
type Quantity = (view: InvariantView) => number;

const operators: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<=': (left, right) => left <= right + TINY,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right - TINY,
  '>': (left, right) => left > right,
  '==': (left, right) => Math.abs(left - right) <= TINY,
  '!=': (left, right) => Math.abs(left - right) > TINY,
};

/** Sums of decimals are not exact in binary. */
const TINY = 1e-9;

function comparison(text: string): Check | null {
  const match = /^(?:expect\s+)?(.+?)\s*(<=|>=|==|!=|<|>)\s*(.+)$/.exec(text);
  if (match === null) return null;
  const [, leftText = '', operator = '', rightText = ''] = match;
  const holds = operators[operator];
  const [left, right] = [quantity(leftText.trim()), quantity(rightText.trim())];
  if (holds === undefined) return null;
  return (view) => {
    const [one, other] = [left(view), right(view)];
    return holds(one, other) ? null : `${leftText.trim()} is ${String(one)}, ${rightText.trim()} is ${String(other)}`;
  };
}

function quantity(text: string): Quantity {
  if (/^-?\d+(\.\d+)?$/.test(text)) return () => Number(text);
  const call = /^(minted|mints|count|sum)(?:\(\s*(.*?)\s*\))?$/.exec(text);
  const [, name, argument] = call ?? [];
  const token = argument === undefined || argument === '' ? undefined : unquoted(argument);
  if (name === 'minted') return ({ minted }) => minted(token);
  if (name === 'mints') return ({ mints }) => mints(token);
  if (name !== undefined && argument !== undefined) return ofDocuments(name, argument);
  return ({ reached }) => reached(unquoted(text)).length;
}

/** `count(type|Status)` and `sum(type|Status, path)`. */
function ofDocuments(name: string, argument: string): Quantity {
  const [which = '', path = ''] = argument.split(',').map((part) => part.trim());
  const [type = '*', status = ''] = unquoted(which).split('|');
  const documents = ({ reached }: InvariantView): readonly DocumentRecord[] =>
    reached(status, type === '*' ? undefined : type);
  if (name === 'count') return (view) => documents(view).length;
  return (view) =>
    documents(view).reduce(
      (sum, { document }) => sum + (Number(valueAt(document, `credentialSubject.0.${unquoted(path)}`)) || 0),
      0,
    );
}

function permission(text: string): Check | null {
  const match = /^(?:expect\s+)?(?:only\s+(.+?)|(nobody))\s+(?:(mints|approves|\w+s)|(uses|presses|sets)\s+(.+))$/.exec(
    text,
  );
  if (match === null) return null;
  const [, names = '', , verb, act, what = ''] = match;
  const allowed = new Set(names.split(',').map((name) => unquoted(name.trim())));
  const isDone = act === undefined ? doing(verb ?? '') : actingOn(act, unquoted(what));
  return ({ deed }) => (isDone(deed) && !allowed.has(deed.by) ? `${deed.by} did it at "${deed.block}"` : null);
}

function doing(verb: string): (deed: Deed) => boolean {
  if (verb === 'mints') return ({ mints }) => mints > 0;
  const stem = verb.slice(0, -1).toLowerCase().replace(/e$/, '');
  return ({ statuses }) => statuses.some((status) => status.toLowerCase().startsWith(stem));
}

function actingOn(act: string, what: string): (deed: Deed) => boolean {
  if (act === 'uses') return ({ block }) => block === what;
  if (act === 'presses') return ({ choice }) => choice === what;
  return ({ statuses }) => statuses.some((status) => status.toLowerCase() === what.toLowerCase());
}

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');
