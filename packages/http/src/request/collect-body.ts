/** Collects the bytes of a body, up to a limit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransportError } from '../answer/transport-error.js';
import type { BodyShare } from './body-budget.js';
import type { HttpRequest } from './http-request.js';

export interface BodyBounds {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** The request's share of the memory budget. */
  readonly share: BodyShare;
}

/** Of one body, until others have their turn of the event loop, however fast this client sends. */
const BYTES_A_TURN = 128 * 1024;

/**
 * Rejects with `BODY_TOO_LARGE` as soon as `limit` is exceeded, with `SERVER_BUSY` if the memory budget is exhausted, and with
 * `BODY_MALFORMED` if the body is truncated.
 */
export async function collectBody(request: HttpRequest, { limit, share }: BodyBounds): Promise<Buffer> {
  const announced = Number(request.header('content-length') ?? 0);
  if (announced > limit) throw tooLarge(limit);
  const refusal = share.refuses(announced);
  if (refusal !== null) throw refusal;
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let inTurn = 0;
    const take = (chunk: Uint8Array): boolean | Promise<boolean> => {
      size += chunk.length;
      inTurn += chunk.length;
      const refusal = size > limit ? tooLarge(limit) : share.refuses(size);
      if (refusal === null) {
        chunks.push(chunk);
        if (inTurn < BYTES_A_TURN) return true;
        inTurn = 0;
        return nextTurn(true);
      }
      chunks.length = 0;
      reject(refusal);
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
