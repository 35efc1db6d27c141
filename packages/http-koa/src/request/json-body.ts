/** JSON bodies, read by @koa/bodyparser and checked against the contract. */
import { bodyParser } from '@koa/bodyparser';
import { BlockworkError } from '@blockwork/core';
import { toDetails } from '@blockwork/core/block';
import type { Context } from 'koa';
import type { z } from 'zod';
import { TransportError } from '../answer/transport-error.js';
import { mediaType, unsupported } from './media-type.js';
import { describeProblems } from './describe-problems.js';

export type JsonBodyReader = (ctx: Context, schema: z.ZodType | null) => Promise<unknown>;

/**
 * Uses the body that the host application has parsed, if any. `limit` is in bytes, after decompression. A `null` schema
 * accepts any JSON value.
 */
export function jsonBodyReader(limit: number): JsonBodyReader {
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    // The content type is checked below; the parser would turn other types into an empty object.
    detectJSON: () => true,
    // Lets strings and numbers pass: the schema rejects them with a better message.
    jsonStrict: false,
    onError: (error, ctx) => {
      // The parser leaves the rest of the body unread, in front of the connection's next request.
      ctx.req.unpipe();
      ctx.req.resume();
      throw problemOf(error, limit);
    },
  });
  return async (ctx, schema) => {
    if (mediaType(ctx.get('Content-Type')) !== 'application/json') throw unsupported('application/json');
    await parse(ctx, () => Promise.resolve());
    const { body, rawBody } = ctx.request;
    if (rawBody === '') throw malformed('it is empty');
    const parsed = schema?.safeParse(body);
    if (parsed === undefined || parsed.success) return body;
    const details = toDetails(parsed.error);
    const reason = `The body is invalid: ${describeProblems(details, 'the body')}.`;
    throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
  };
}

const malformed = (reason: string, cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason }, cause });

/** Errors of the parser have a status (http-errors), those of the decompression only a code. */
function problemOf(error: Error & { status?: unknown; code?: unknown }, limit: number): unknown {
  const status = String(error.code).startsWith('Z_') ? 400 : error.status;
  switch (status) {
    case 413:
      return new TransportError('BODY_TOO_LARGE', { facts: { limit }, cause: error });
    case 415:
      return unsupported('application/json in UTF-8, plain or compressed with gzip, deflate or br');
    case 400:
      return malformed('it is truncated, is not JSON, or has a member that would change a prototype', error);
    default:
      return error;
  }
}
