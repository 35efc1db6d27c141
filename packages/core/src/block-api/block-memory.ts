/** A block's own storage: one value per user, and rows shared by all users. */
import type { z } from 'zod';
import type { BlockEntry, Json } from '../records/index.js';

/** The block's stored value for the current user (in their active group). */
export interface StateReader {
  /**
   * `undefined` if nothing is stored, or if the stored value no longer matches the schema.
   *
   * @example const step = (await ctx.state.get(z.object({ index: z.number() })))?.index ?? 0;
   */
  get<T>(schema: z.ZodType<T>): Promise<T | undefined>;
}

export interface StateWriter extends StateReader {
  /**
   * Replaces the stored value.
   *
   * @example
   * const step = (await ctx.state.get(z.object({ index: z.number() })))?.index ?? 0;
   * await ctx.state.set({ index: step + 1 });
   */
  set(value: Json): Promise<void>;
}

/** Rows of the block, shared by all users. */
export interface EntryReader {
  /**
   * In insertion order, filtered by key if given.
   *
   * @example
   * const votes = await ctx.entries.find(documentId);
   * const approvals = votes.filter(({ value }) => value === 'approve').length;
   */
  find(key?: string): Promise<BlockEntry[]>;
  /**
   * The row with this id, whatever its key.
   *
   * @example
   * const vote = await ctx.entries.get(`${documentId}/${ctx.user.did}`);
   * const mayVote = vote === undefined;
   */
  get(id: string): Promise<BlockEntry | undefined>;
}

export interface EntryWriter extends EntryReader {
  /**
   * Adds a row, or replaces the one with this id.
   *
   * @example await ctx.entries.put({ id: `${documentId}/${ctx.user.did}`, key: documentId, value: 'approve' });
   */
  put(entry: { readonly id: string; readonly key: string; readonly value: Json }): Promise<void>;
  /**
   * Removes a row; nothing happens if there is none.
   *
   * @example for (const { id } of await ctx.entries.find(documentId)) await ctx.entries.remove(id);
   */
  remove(id: string): Promise<void>;
}
