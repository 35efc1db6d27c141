/** Bodies with a `Content-Encoding`. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { malformed, tooLarge } from './collect-body.js';
import { unsupported } from './media-type.js';

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** `null` for a body that is not compressed. Throws `CONTENT_TYPE_UNSUPPORTED` for an unknown encoding. */
export function decoderOf(encoding: string | undefined): Decoder | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const decoder = decoders.get(name);
  if (decoder === undefined) {
    throw unsupported(
      'application/json, plain or compressed with gzip, deflate or br',
      'its Content-Encoding is another',
    );
  }
  return decoder;
}

/** Rejects with `BODY_TOO_LARGE` if there are more than `limit` bytes, without unpacking them all. */
export async function decompress(decode: Decoder, bytes: Uint8Array, limit: number): Promise<Buffer> {
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit, cause);
    throw malformed('it is not compressed as Content-Encoding says', cause);
  }
}
