/** Receipts of sends that carried an idempotency key, from which repeated sends are answered. */
import type { Json } from './json/json.js';

export interface SendReceipt {
  /** Hash of the sender and the key. */
  id: string;
  /** Hash of what was sent and where. */
  request: string;
  /** The block, or the blocks, that the data was sent to. */
  tag: string;
  /** Absent if it exceeds the size limit for kept answers. */
  answer?: Json;
  /** Milliseconds since 1970. */
  expires: number;
  /** The revision of the policy that the unit of work began with. */
  revision: number;
}
