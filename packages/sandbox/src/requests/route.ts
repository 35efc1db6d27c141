/** Routes of the sandbox. */
import type { HttpRequest } from '@blockwork/http';
import type { Person } from './person.js';

export interface SandboxReply {
  readonly status: number;
  /** A JSON value; nothing is sent if it is absent. */
  readonly body?: unknown;
  /** Sent as plain text; replaces `body`. */
  readonly plain?: string;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export interface SandboxCall {
  /** The caller. Rejects on public routes if there is no token. */
  readonly person: () => Promise<Person>;
  readonly params: Readonly<Record<string, string>>;
  /** The last value of a key wins. The text `undefined`, sent by the web client, counts as absent. */
  readonly query: ReadonlyMap<string, string>;
  /** Unvalidated members of a JSON object or of a form; a `Uint8Array` for files. */
  readonly body: unknown;
  readonly request: HttpRequest;
}

export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix; parameters in braces. */
  readonly path: string;
  /** Whether the route is public. */
  readonly isOpen?: boolean;
  readonly body?: 'data' | 'file';
  readonly handle: (call: SandboxCall) => Promise<SandboxReply> | SandboxReply;
}

export const ok = (body?: unknown): SandboxReply => ({ status: 200, body });
export const created = (body: unknown): SandboxReply => ({ status: 201, body });

/** A page of a list as the query asks for it, at most 100 without one; `total` is that of the whole list. */
export function page<Item>(
  items: readonly Item[],
  query: ReadonlyMap<string, string>,
): SandboxReply & { readonly body: Item[] } {
  const size = wholeNumber(query.get('pageSize'), 100, 1, 1000);
  const index = wholeNumber(query.get('pageIndex'), 0, 0, 1_000_000);
  return { status: 200, body: items.slice(index * size, (index + 1) * size), total: items.length };
}

function wholeNumber(text: string | undefined, fallback: number, least: number, most: number): number {
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
  return Math.min(most, Math.max(least, value));
}
