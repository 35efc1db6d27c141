/** Checks the claims of a token whose signature is valid. */
import { isDid, type Caller } from '@blockwork/core';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';
import { roleIn, type RoleRule } from './role-rule.js';
import type { SubjectRule } from './subject.js';

export interface ClaimRules {
  /** Accepted values of `iss`; any if absent. */
  readonly issuers?: readonly string[];
  /** Accepted values of `aud`; any if absent. */
  readonly audiences?: readonly string[];
  /** Derives the DID of a caller; without it, `sub` must be a DID. */
  readonly subject?: SubjectRule;
  /** Replaces the claims `role` and `permissions`. */
  readonly roles?: RoleRule;
}

export interface VerifiedToken {
  readonly caller: Caller;
  /** Milliseconds since 1970; the token is invalid from this moment. */
  readonly expiresAt: number;
  /** `jti`, for revocation. */
  readonly tokenId?: string;
}

/** Maximum length of a `jti`. */
const MAX_TOKEN_ID = 500;

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
  jti: z.string().min(1).max(MAX_TOKEN_ID).optional(),
  username: z.string().max(200).nullish(),
  preferred_username: z.unknown().optional(),
  role: z.string().max(200).nullish(),
  permissions: z.array(z.string()).nullish(),
});
type Claims = z.infer<typeof claimsSchema>;
/** Identity providers may give them another meaning. */
const withoutRoles = claimsSchema.omit({ role: true, permissions: true });

/** `now` is in milliseconds. Throws an `AuthenticationError`. */
export function readClaims(payload: unknown, rules: ClaimRules, now: number): VerifiedToken {
  const parsed = (rules.roles === undefined ? claimsSchema : withoutRoles).safeParse(payload);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the payload')))];
    throw new AuthenticationError('claims', `The token has claims of the wrong type: ${names.join(', ')}.`);
  }
  const claims: Claims = parsed.data;
  assertAddressed(claims, rules);
  const expiresAt = expiry(claims);
  if (expiresAt <= now) throw new AuthenticationError('expired', 'The token has expired.');
  if (claims.nbf !== undefined && claims.nbf * 1000 > now) {
    throw new AuthenticationError('not-yet-valid', 'The token is not valid yet.');
  }
  const role = rules.roles === undefined ? claims.role : roleIn(payload, rules.roles);
  const caller = callerOf({ ...claims, role }, didOf(claims, rules));
  return { caller, expiresAt, ...(claims.jti === undefined ? {} : { tokenId: claims.jti }) };
}

/** Not left to jsonwebtoken, whose errors for a wrong issuer, audience or signature differ only in wording. */
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

function didOf({ iss, sub, did }: Claims, { subject }: ClaimRules): string {
  const claim = subject === undefined ? (sub ?? did) : sub;
  if (claim === undefined) throw new AuthenticationError('claims', 'The token names no identity (sub).');
  const named = subject === undefined ? claim : subject(claim, typeof iss === 'string' ? iss : undefined);
  if (did !== undefined && did !== named) {
    // Preferring one would let an issuer that controls only that one choose the caller.
    throw new AuthenticationError('claims', 'The token names two identities, one in sub and another in did.');
  }
  if (named === null)
    throw new AuthenticationError('claims', 'No DID can be derived from the identity in the token (sub).');
  if (isDid(named)) return named;
  throw new AuthenticationError(
    'claims',
    'The identity in the token (sub) must be a DID, for example did:web:example.org.',
  );
}

function callerOf(claims: Claims, did: string): Caller {
  const username = claims.username ?? usernameIn(claims.preferred_username);
  return {
    did,
    ...(username == null ? {} : { username }),
    ...(claims.role == null ? {} : { role: claims.role }),
    ...(claims.permissions == null ? {} : { permissions: claims.permissions }),
  };
}

/** OpenID Connect Core 1.0, section 5.1. Omitted if unusable, since it is only displayed. */
const usernameIn = (name: unknown): string | undefined =>
  typeof name === 'string' && name !== '' && name.length <= 200 ? name : undefined;
