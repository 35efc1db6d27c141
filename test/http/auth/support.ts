/** Tokens, keys, and authenticators of both kinds. */
import { createHmac, createSecretKey } from 'node:crypto';
import type { Caller } from '@blockwork/core';
import { AuthenticationError, TokenAuthenticator } from '@blockwork/http';
import type { TokenOptions } from '@blockwork/http';
import { TokenAuthenticator as KoaTokenAuthenticator } from '@blockwork/http-koa';
import jwt from 'jsonwebtoken';
import { expect } from 'vitest';

export const NOW = Date.UTC(2026, 2, 14, 9, 26, 53);
export const seconds = NOW / 1000;
export const secret = createSecretKey(Buffer.alloc(32, 7));
export const claims = { sub: 'did:example:ana', role: 'USER', exp: seconds + 60 };

export const sign = (payload: object, key: jwt.Secret = secret, options: jwt.SignOptions = {}): string =>
  jwt.sign(payload, key, { algorithm: 'HS256', noTimestamp: true, ...options });

/** A clock that stands still until a test sets `time`. */
export const clockAt = (moment: number): { time: number; now: () => number } => ({
  time: moment,
  now() {
    return this.time;
  },
});

export const bearer = (payload: object, key?: jwt.Secret, options?: jwt.SignOptions): string =>
  `Bearer ${sign(payload, key, options)}`;

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed with `secret` whatever header and payload say, and with the header in UTF-8. */
export function bearerOf(header: object, payload: string): string {
  const signed = `${encoded(header)}.${Buffer.from(payload).toString('base64url')}`;
  return `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** At the moment `NOW`. */
export const authenticator = (options: TokenOptions = { secret }): TokenAuthenticator =>
  new TokenAuthenticator({ clock: clockAt(NOW), ...options });

/** What is wrong with the header, or the caller if nothing is. With koa-jwt and with jsonwebtoken alone it is the same. */
export async function problemOf(header: string | undefined, options: TokenOptions = { secret }): Promise<unknown> {
  const both = [authenticator(options), new KoaTokenAuthenticator({ clock: clockAt(NOW), ...options })];
  const [alone, throughKoaJwt] = await Promise.all(both.map((one) => one.authenticate(header).catch(problemIn)));
  expect(throughKoaJwt).toEqual(alone);
  return alone;
}

function problemIn(error: unknown): unknown {
  if (error instanceof AuthenticationError) return error.problem;
  throw error;
}

export async function callerOf(header: string | undefined, options?: TokenOptions): Promise<Caller> {
  const caller = await problemOf(header, options);
  expect(caller).toBeTypeOf('object');
  return caller as Caller;
}
