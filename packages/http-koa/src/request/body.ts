/** Reads the body that a route takes. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Body } from '@blockwork/contract';
import { readBytes } from './bytes-body.js';
import { jsonBodyReader } from './json-body.js';
import type { JsonBodyReader } from './json-body.js';

export interface BodyRules {
  /** Bytes of a JSON body at most. */
  readonly bodyLimit: number;
  /** Bytes of a policy file at most. */
  readonly policyFileLimit: number;
  readonly approveWithoutBody: boolean;
}

/** `null` for routes without a body. */
export function bodyReader(body: Body, rules: BodyRules): ((ctx: Context) => Promise<unknown>) | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json': {
      const read = jsonBodyReader(rules.bodyLimit);
      const schema = body.checkedBy === 'engine' ? null : body.schema;
      const isOptional =
        body.optional === 'always' || (body.optional === 'approveWithoutBody' && rules.approveWithoutBody);
      return isOptional ? (ctx) => readOptional(ctx, schema, read) : (ctx) => read(ctx, schema);
    }
    case 'bytes':
      return (ctx) => readBytes(ctx, body.types, rules.policyFileLimit);
  }
}

/** `undefined` for no body and for `null`: clients of the reference send either. */
async function readOptional(ctx: Context, schema: z.ZodType | null, read: JsonBodyReader): Promise<unknown> {
  const { body } = ctx.request as { body?: unknown };
  if (isMissing(ctx) && body === undefined) return undefined;
  return (await read(ctx, schema?.nullable() ?? null)) ?? undefined;
}

/** By the headers that announce a body (RFC 9112, section 6.3). */
const isMissing = ({ req }: Context): boolean =>
  req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
