/** What a block keeps beside the state of single users: rows of its own, which only it reads and writes. */
import type { Json } from './json/json.js';

export interface BlockEntry {
  id: string;
  /** Tag of the block. */
  tag: string;
  /** What the block finds its rows by: a user's key, a document's id. */
  key: string;
  value: Json;
}
