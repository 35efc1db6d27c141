/** Bodies that may be missing: clients of the reference send none, or `null`. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { JsonBodyReader } from './json-body.js';

/** `undefined` where there is none. */
export async function readOptional(ctx: Context, schema: z.ZodType | null, read: JsonBodyReader): Promise<unknown> {
  const { body } = ctx.request as { body?: unknown };
  if (isMissing(ctx) && body === undefined) return undefined;
  return (await read(ctx, schema?.nullable() ?? null)) ?? undefined;
}

/** By the headers that announce a body (RFC 9112, section 6.3). */
const isMissing = ({ req }: Context): boolean =>
  req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
