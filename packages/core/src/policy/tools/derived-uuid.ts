/** Ids of blocks that come from tools: identical on every node and after every restart. */
import { createHash } from 'node:crypto';

/** A version 8 UUID (RFC 9562) derived from both texts only. */
export function derivedUuid(within: string, id: string): string {
  const bytes = createHash('sha256').update(within).update('\0').update(id).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
