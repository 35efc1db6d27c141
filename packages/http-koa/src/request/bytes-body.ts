/** Bodies that stay bytes: policy files. */
import type { Context } from 'koa';
import { TransportError } from '../answer/transport-error.js';
import { mediaType, unsupported } from './media-type.js';

/** Discards everything beyond `limit` bytes, so that it never fills the memory. */
export async function readBytes(ctx: Context, types: readonly string[], limit: number): Promise<Uint8Array> {
  if (!types.includes(mediaType(ctx.get('Content-Type')))) throw unsupported(types.join(', '));
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding !== 'identity') throw unsupported('sent without a Content-Encoding');
  const { body } = ctx.request as { body?: unknown };
  // Parsed by the host application.
  if (body instanceof Uint8Array) return checked(body, limit);
  if (Number(ctx.get('Content-Length')) > limit) throw tooLarge(limit);
  return checked(await collect(ctx, limit), limit);
}

function collect({ req }: Context, limit: number): Promise<Uint8Array> {
  if (req.readableEnded)
    throw new Error('Another middleware has consumed the body without keeping it in ctx.request.body.');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        // Keep reading and discarding, so that the connection stays usable.
        chunks.length = 0;
        reject(tooLarge(limit));
      }
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', (cause) => reject(truncated(cause)));
    req.on('close', () => reject(truncated()));
  });
}

const truncated = (cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason: 'it is truncated' }, cause });

function checked(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit);
  if (bytes.length === 0) throw new TransportError('BODY_MALFORMED', { facts: { reason: 'it is empty' } });
  return bytes;
}

const tooLarge = (limit: number): TransportError => new TransportError('BODY_TOO_LARGE', { facts: { limit } });
