/** Receipts of sends that carried an idempotency key: what a repeated send is answered with. */
import type { Json } from './json/json.js';

export interface SendReceipt {
  /** Hash of the sender and the key. */
  id: string;
  /** Hash of what was sent and where. */
  request: string;
  /** The block, or the blocks, that the data was sent to. */
  tag: string;
  /** Absent if it is larger than an answer that is kept. */
  answer?: Json;
  /** Milliseconds since 1970. */
  expires: number;
  /** The revision of the policy that the unit of work began with. */
  revision: number;
}
