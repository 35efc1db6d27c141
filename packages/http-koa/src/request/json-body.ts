/** JSON bodies, through @koa/bodyparser: read within a limit and checked against the contract. */
import { bodyParser } from '@koa/bodyparser';
import { BlockworkError } from '@blockwork/core';
import { toDetails } from '@blockwork/core/block';
import type { Context } from 'koa';
import type { z } from 'zod';
import { TransportError } from '../answer/transport-error.js';
import { mediaType, unsupported } from './media-type.js';
import { describeProblems } from './describe-problems.js';

export type JsonBodyReader = (ctx: Context, schema: z.ZodType | null) => Promise<unknown>;

/** Without a schema any JSON value is taken. `limit` is in bytes, after decompression. A body that the host's application has parsed is taken from there. */
export function jsonBodyReader(limit: number): JsonBodyReader {
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    // The content type is checked here, and more strictly: the parser takes what it does not know for an empty object.
    detectJSON: () => true,
    // Texts and numbers are well-formed JSON; the schema refuses them, and says so.
    jsonStrict: false,
    onError: (error, ctx) => {
      // The parser leaves the rest of the body where it is, and the next request on the connection behind it.
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
    const reason = `The body does not fit: ${describeProblems(details, 'the body')}.`;
    throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
  };
}

const malformed = (reason: string, cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason }, cause });

/** The parser's errors carry the status that they mean (http-errors), those of the decompression only a code. */
function problemOf(error: Error & { status?: unknown; code?: unknown }, limit: number): unknown {
  const status = String(error.code).startsWith('Z_') ? 400 : error.status;
  switch (status) {
    case 413:
      return new TransportError('BODY_TOO_LARGE', { facts: { limit }, cause: error });
    case 415:
      return unsupported('application/json in UTF-8, plain or compressed with gzip, deflate or br');
    case 400:
      return malformed('it was cut off, is not JSON, or holds a member that would change a prototype', error);
    default:
      return error;
  }
}
