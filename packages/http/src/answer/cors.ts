/** Cross-origin requests of browsers (Fetch standard, section 3.3). */
import { z } from 'zod';
import type { HttpAnswer } from './http-answer.js';

export interface CorsOptions {
  /** Allowed origins, for example `https://app.example`; `*` for all. */
  readonly origins: '*' | readonly string[];
  /** Seconds that browsers cache a preflight response; default 600. */
  readonly maxAge?: number;
}

const origin = z.string().regex(/^https?:\/\/[^/\s]+$/, 'must be an origin, for example "https://app.example"');

export const corsShape = z.strictObject({
  origins: z.union([z.literal('*'), z.array(origin)], 'must be "*" or a list of origins'),
  maxAge: z.int().min(0).optional(),
});

/** With those of a trace (Trace Context, section 3), which pages that are traced send along. */
const requestHeaders =
  'Act-As, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id';
const answerHeaders =
  'Allow, Blockwork-Policy, Content-Disposition, ETag, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count';

/** Adds the CORS headers to a response if the origin is allowed. */
export function withCors(answer: HttpAnswer, from: string | undefined, options: CorsOptions): HttpAnswer {
  const vary = options.origins === '*' ? {} : { Vary: 'Origin' };
  if (from === undefined || !isAllowed(from, options)) return { ...answer, headers: { ...answer.headers, ...vary } };
  return {
    ...answer,
    headers: { ...answer.headers, ...vary, ...allowed(from, options), 'Access-Control-Expose-Headers': answerHeaders },
  };
}

/** Answers a preflight request: the response to `OPTIONS` plus permissions. */
export function preflight(answer: HttpAnswer, from: string, options: CorsOptions): HttpAnswer {
  if (!isAllowed(from, options)) return withCors(answer, from, options);
  const headers = {
    ...answer.headers,
    ...(options.origins === '*' ? {} : { Vary: 'Origin' }),
    ...allowed(from, options),
    'Access-Control-Allow-Methods': answer.headers['Allow'] ?? '',
    'Access-Control-Allow-Headers': requestHeaders,
    'Access-Control-Max-Age': String(options.maxAge ?? 600),
  };
  return { ...answer, headers };
}

const isAllowed = (from: string, { origins }: CorsOptions): boolean => origins === '*' || origins.includes(from);

/** Tokens are sent in a header, never in a cookie, so credentials need not be allowed. */
const allowed = (from: string, { origins }: CorsOptions): Record<string, string> => ({
  'Access-Control-Allow-Origin': origins === '*' ? '*' : from,
});
