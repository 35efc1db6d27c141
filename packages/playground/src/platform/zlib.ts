/** `node:zlib` for a page: raw deflate and checksums. Compressed requests do not come from a page. */
import { deflateSync, inflateSync } from 'fflate';
import { Buffer } from './buffer.js';

/** Throws a `RangeError` for more than `maxOutputLength` bytes, which is all the memory that it takes. */
export function inflateRawSync(bytes: Uint8Array, { maxOutputLength }: { readonly maxOutputLength: number }): Buffer {
  const inflated = inflateSync(bytes, { out: new Uint8Array(maxOutputLength + 1) });
  if (inflated.length > maxOutputLength) throw new RangeError('The stream is longer than it may be.');
  return Buffer.from(inflated);
}

export const deflateRawSync = (bytes: Uint8Array): Buffer => Buffer.from(deflateSync(bytes));

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Everything at once: the engine hands over an entry of an archive, which has a limit. */
export function deflateRaw(bytes: Uint8Array, done: (error: Error | null, deflated: Buffer) => void): void {
  done(null, deflateRawSync(bytes));
}

type Buffer = InstanceType<typeof Buffer>;

type Done = (error: Error) => void;

const refuse = (_bytes: Uint8Array, _options: unknown, done: Done): void => {
  done(new Error('A page does not send compressed requests.'));
};

export { refuse as brotliDecompress, refuse as gunzip, refuse as inflate };
