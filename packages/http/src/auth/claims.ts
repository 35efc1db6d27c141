/** Checks the claims of a token whose signature is valid. */
import type { Caller } from '@blockwork/core';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';

export interface ClaimRules {
  /** Accepted values of `iss`; any if absent. */
  readonly issuers?: readonly string[];
  /** Accepted values of `aud`; any if absent. */
  readonly audiences?: readonly string[];
}

export interface VerifiedToken {
  readonly caller: Caller;
  /** Milliseconds since 1970; the token is invalid from this moment. */
  readonly expiresAt: number;
}

/**
 * `sub`, `exp`, `nbf` as in RFC 7519, section 4.1. Tokens of the reference have `did` and `expireAt` (milliseconds)
 * instead.
 */
const claimsSchema = z.object({
  iss: z.unknown().optional(),
  aud: z.unknown().optional(),
  sub: z.string().min(1).max(500).optional(),
  did: z.string().min(1).max(500).optional(),
  exp: z.number().positive().optional(),
  expireAt: z.number().positive().optional(),
  nbf: z.number().optional(),
  username: z.string().max(200).nullish(),
  role: z.string().max(200).nullish(),
  permissions: z.array(z.string()).nullish(),
});
type Claims = z.infer<typeof claimsSchema>;

/** `now` is in milliseconds. Throws an `AuthenticationError`. */
export function readClaims(payload: unknown, rules: ClaimRules, now: number): VerifiedToken {
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the payload')))];
    throw new AuthenticationError('claims', `The token has claims of the wrong type: ${names.join(', ')}.`);
  }
  const claims = parsed.data;
  assertAddressed(claims, rules);
  const expiresAt = expiry(claims);
  if (expiresAt <= now) throw new AuthenticationError('expired', 'The token has expired.');
  if (claims.nbf !== undefined && claims.nbf * 1000 > now) {
    throw new AuthenticationError('not-yet-valid', 'The token is not valid yet.');
  }
  return { caller: callerOf(claims), expiresAt };
}

/** Not left to jsonwebtoken, whose errors for a wrong issuer, audience or signature differ in their wording only. */
function assertAddressed({ iss, aud }: Claims, { issuers, audiences }: ClaimRules): void {
  const addressees: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences !== undefined && !addressees.some((one) => isOneOf(audiences, one))) {
    throw new AuthenticationError('audience', 'The token is meant for another audience.');
  }
  if (issuers !== undefined && !isOneOf(issuers, iss)) {
    throw new AuthenticationError('issuer', 'The token comes from another issuer.');
  }
}

const isOneOf = (accepted: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && accepted.includes(value);

/** The earlier of `exp` and `expireAt`: neither may extend the other. */
function expiry({ exp, expireAt }: Claims): number {
  if (exp === undefined && expireAt === undefined) {
    throw new AuthenticationError('claims', 'The token has no expiry (exp).');
  }
  return Math.min(exp === undefined ? Infinity : exp * 1000, expireAt ?? Infinity);
}

function callerOf(claims: Claims): Caller {
  const did = claims.sub ?? claims.did;
  if (did === undefined) throw new AuthenticationError('claims', 'The token names no identity (sub).');
  if (claims.did !== undefined && claims.did !== did) {
    // Preferring one would let an issuer that controls only that one choose the caller.
    throw new AuthenticationError('claims', 'The token names two identities, one in sub and another in did.');
  }
  return {
    did,
    ...(claims.username == null ? {} : { username: claims.username }),
    ...(claims.role == null ? {} : { role: claims.role }),
    ...(claims.permissions == null ? {} : { permissions: claims.permissions }),
  };
}
