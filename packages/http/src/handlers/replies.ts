/** Common replies of handlers, and the paging of list queries. */
import type { Reply } from '../answer/reply.js';
import type { PageQuery } from '@blockwork/contract';

export const ok = (body: unknown): Reply => ({ status: 200, body });

/** A body that is already JSON text. */
export const okText = (text: string): Reply => ({ status: 200, text });

/** A complete list. */
export const okList = (items: readonly unknown[]): Reply => okPage({ items, total: items.length });

export const okPage = ({ items, total }: { readonly items: readonly unknown[]; readonly total: number }): Reply => ({
  status: 200,
  body: items,
  total,
});

/** `undefined` (the complete list) if neither parameter is given. */
export function rangeOf({ pageIndex, pageSize }: PageQuery): { offset: number; limit: number } | undefined {
  if (pageIndex === undefined && pageSize === undefined) return undefined;
  const limit = pageSize ?? 100;
  return { offset: (pageIndex ?? 0) * limit, limit };
}
