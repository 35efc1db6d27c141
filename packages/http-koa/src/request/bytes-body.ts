/** Bodies that are handed on as the bytes they are: policy files. */
import type { Context } from 'koa';
import { TransportError } from '../answer/transport-error.js';
import { mediaType, unsupported } from './media-type.js';

/** Reads at most `limit` bytes; what comes beyond them is thrown away unseen, and never held in memory. */
export async function readBytes(ctx: Context, types: readonly string[], limit: number): Promise<Uint8Array> {
  if (!types.includes(mediaType(ctx.get('Content-Type')))) throw unsupported(types.join(', '));
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding !== 'identity') throw unsupported('sent without a Content-Encoding');
  const { body } = ctx.request as { body?: unknown };
  // A parser of the host's application was here before.
  if (body instanceof Uint8Array) return checked(body, limit);
  if (Number(ctx.get('Content-Length')) > limit) throw tooLarge(limit);
  return checked(await collect(ctx, limit), limit);
}

function collect({ req }: Context, limit: number): Promise<Uint8Array> {
  if (req.readableEnded) throw new Error('The body was read before, by another part of the application, and not kept.');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        // The stream goes on without anybody keeping what it brings.
        chunks.length = 0;
        reject(tooLarge(limit));
      }
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', (cause) => reject(cutOff(cause)));
    req.on('close', () => reject(cutOff()));
  });
}

const cutOff = (cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason: 'it was cut off' }, cause });

function checked(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit);
  if (bytes.length === 0) throw new TransportError('BODY_MALFORMED', { facts: { reason: 'it is empty' } });
  return bytes;
}

const tooLarge = (limit: number): TransportError => new TransportError('BODY_TOO_LARGE', { facts: { limit } });
