/** Tokens and keys for the tests of this package. */
import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';

export const NOW = Date.UTC(2026, 2, 14, 9, 26, 53);
export const seconds = NOW / 1000;
export const secret = createSecretKey(Buffer.alloc(32, 7));
export const claims = { sub: 'did:example:ana', role: 'USER', exp: seconds + 60 };

export const sign = (payload: object, key: jwt.Secret = secret, options: jwt.SignOptions = {}): string =>
  jwt.sign(payload, key, { algorithm: 'HS256', noTimestamp: true, ...options });

/** A clock that stands still until it is moved. */
export const clockAt = (moment: number): { time: number; now: () => number } => ({
  time: moment,
  now() {
    return this.time;
  },
});
