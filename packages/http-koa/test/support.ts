/** Tokens, keys and requests for the tests of this package. */
import { createSecretKey } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import jwt from 'jsonwebtoken';
import Koa from 'koa';
import type { Context } from 'koa';

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
