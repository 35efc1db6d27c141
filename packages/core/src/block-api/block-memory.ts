/** The memory of a block: one value per user, and rows shared by all users. */
import type { z } from 'zod';
import type { BlockEntry, Json } from '../records/index.js';

/** What this block remembers of the current user (in their current group). */
export interface StateReader {
  /** `undefined` while nothing was set, or when what was set no longer fits the schema. */
  get<T>(schema: z.ZodType<T>): Promise<T | undefined>;
}

export interface StateWriter extends StateReader {
  set(value: Json): Promise<void>;
}

/** Rows of the block, shared by all users. */
export interface EntryReader {
  /** In the order in which they were first put; those with this key, all of the block's when absent. */
  find(key?: string): Promise<BlockEntry[]>;
  get(id: string): Promise<BlockEntry | undefined>;
}

export interface EntryWriter extends EntryReader {
  /** Adds a row, or replaces the one with this id. */
  put(entry: { readonly id: string; readonly key: string; readonly value: Json }): Promise<void>;
  remove(id: string): Promise<void>;
}
