/** Collects the bytes of a body, up to a limit. */
import { TransportError } from '../answer/transport-error.js';
import type { HttpRequest } from './http-request.js';

/** Rejects with `BODY_TOO_LARGE` as soon as there are more than `limit` bytes, and with `BODY_MALFORMED` if it is cut off. */
export async function collectBody(request: HttpRequest, limit: number): Promise<Buffer> {
  if (Number(request.header('content-length') ?? 0) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const take = (chunk: Uint8Array): boolean => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return true;
      }
      chunks.length = 0;
      reject(tooLarge(limit));
      return false;
    };
    request.readBody(take).then(
      () => resolve(Buffer.concat(chunks)),
      (cause: unknown) => reject(malformed('it is truncated', cause)),
    );
  });
}

export const tooLarge = (limit: number, cause?: unknown): TransportError =>
  new TransportError('BODY_TOO_LARGE', { facts: { limit }, cause });

export const malformed = (reason: string, cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason }, cause });
