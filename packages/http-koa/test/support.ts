/** Tokens, keys and requests for the tests of this package. */
import { createHmac, createSecretKey } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { Caller } from '@blockwork/core';
import jwt from 'jsonwebtoken';
import Koa from 'koa';
import type { Context } from 'koa';
import { AuthenticationError, TokenAuthenticator } from '../src/index.js';
import type { TokenOptions } from '../src/index.js';

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

const app = new Koa();

/** Koa's context of a request with these headers. */
export function contextWith(headers: IncomingHttpHeaders): Context {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return app.createContext(request, new ServerResponse(request));
}

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

export const callerOf = (header: string | undefined, options?: TokenOptions): Promise<Caller> =>
  authenticator(options).authenticate(contextWith({ authorization: header }));

/** What is wrong with the header, or the caller if nothing is. */
export const problemOf = (header: string | undefined, options?: TokenOptions): Promise<unknown> =>
  callerOf(header, options).catch((error: unknown) => {
    if (error instanceof AuthenticationError) return error.problem;
    throw error;
  });
