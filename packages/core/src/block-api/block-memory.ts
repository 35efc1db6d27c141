/** A block's own storage: one value per user, and rows shared by all users. */
import type { z } from 'zod';
import type { BlockEntry, Json } from '../records/index.js';

/** The block's stored value for the current user (in their active group). */
export interface StateReader {
  /** `undefined` if nothing is stored, or if the stored value no longer matches the schema. */
  get<T>(schema: z.ZodType<T>): Promise<T | undefined>;
}

export interface StateWriter extends StateReader {
  set(value: Json): Promise<void>;
}

/** Rows of the block, shared by all users. */
export interface EntryReader {
  /** In insertion order, filtered by key if given. */
  find(key?: string): Promise<BlockEntry[]>;
  get(id: string): Promise<BlockEntry | undefined>;
}

export interface EntryWriter extends EntryReader {
  /** Adds a row, or replaces the one with this id. */
  put(entry: { readonly id: string; readonly key: string; readonly value: Json }): Promise<void>;
  remove(id: string): Promise<void>;
}
