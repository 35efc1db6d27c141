/** Claims of a verified token: who it speaks for, and until when. */
import type { Caller } from '@blockwork/core';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';

/**
 * `sub`, `exp`, `nbf` as in RFC 7519, section 4.1. `did` and `expireAt` (in milliseconds) are what tokens of
 * the reference carry in their place.
 */
const claimsSchema = z.object({
  sub: z.string().min(1).max(500).optional(),
  did: z.string().min(1).max(500).optional(),
  exp: z.number().positive().optional(),
  expireAt: z.number().positive().optional(),
  nbf: z.number().optional(),
  username: z.string().max(200).nullish(),
  role: z.string().max(200).nullish(),
  permissions: z.array(z.string()).nullish(),
});

export interface VerifiedToken {
  readonly caller: Caller;
  /** Milliseconds since 1970; from this moment on the token is nothing. */
  readonly expiresAt: number;
}

/** Reads the claims at the moment `now`, in milliseconds; an `AuthenticationError` says what is wrong with them. */
export function readClaims(payload: unknown, now: number): VerifiedToken {
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the payload')))];
    throw new AuthenticationError('claims', `The token has claims of the wrong type: ${names.join(', ')}.`);
  }
  const claims = parsed.data;
  const expiresAt = expiry(claims);
  if (expiresAt <= now) throw new AuthenticationError('expired', 'The token has expired.');
  if (claims.nbf !== undefined && claims.nbf * 1000 > now) {
    throw new AuthenticationError('not-yet-valid', 'The token is not valid yet.');
  }
  return { caller: callerOf(claims), expiresAt };
}

type Claims = z.infer<typeof claimsSchema>;

/** The earlier of the two, so that neither claim can lengthen the life that the other gives. */
function expiry(claims: Claims): number {
  const moments = [claims.exp === undefined ? undefined : claims.exp * 1000, claims.expireAt];
  const known = moments.filter((moment) => moment !== undefined);
  if (known.length === 0) throw new AuthenticationError('claims', 'The token does not say when it expires (exp).');
  return Math.min(...known);
}

function callerOf(claims: Claims): Caller {
  const did = claims.sub ?? claims.did;
  if (did === undefined) throw new AuthenticationError('claims', 'The token does not say whose it is (sub).');
  if (claims.did !== undefined && claims.did !== did) {
    // Taking either would let an issuer that controls only one of them decide who somebody is.
    throw new AuthenticationError('claims', 'The token names two identities, one in sub and another in did.');
  }
  return {
    did,
    ...(claims.username == null ? {} : { username: claims.username }),
    ...(claims.role == null ? {} : { role: claims.role }),
    ...(claims.permissions == null ? {} : { permissions: claims.permissions }),
  };
}
