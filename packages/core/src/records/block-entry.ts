/** Rows that a block keeps besides the state of its users; only that block reads and writes them. */
import type { Json } from './json/json.js';

export interface BlockEntry {
  id: string;
  /** Tag of the block. */
  tag: string;
  /** The block's lookup key, for instance a user's key or a document's id. */
  key: string;
  value: Json;
}
