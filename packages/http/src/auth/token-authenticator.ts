/** Authenticates requests by their Bearer token, with an LRU cache of verified tokens. */
import { systemClock } from '@blockwork/core';
import type { Caller, Clock } from '@blockwork/core';
import { checkOptions, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';
import { bearerToken, isCanonical } from './bearer.js';
import { readClaims } from './claims.js';
import type { ClaimRules, VerifiedToken } from './claims.js';
import { keyOptionShape, verificationKeys } from './key-options.js';
import type { KeyOptions } from './key-options.js';
import { tokenVerifier } from './token-verifier.js';
import type { TokenVerifier } from './token-verifier.js';
import type { VerificationKey } from './verification-key.js';

export interface TokenRules {
  /** Accepted values of `iss`; not checked if absent. */
  readonly issuer?: string | readonly string[];
  /** Accepted values of `aud`; not checked if absent. */
  readonly audience?: string | readonly string[];
}

export interface TokenOptions extends KeyOptions, TokenRules {
  /** Verified tokens to cache, about 1 KB each; 0 disables the cache. Default 10,000. */
  readonly cacheSize?: number;
  /** Tells when tokens expire; the system clock by default. */
  readonly clock?: Clock;
}

/** Makes what checks signatures with some keys. */
export type VerifierFactory = (keys: readonly VerificationKey[]) => TokenVerifier;

const empty = 'must not be empty';
const text = z.string().min(1, empty);
const texts = z.union([text, z.array(text).min(1, empty)], 'must be a string or a list of strings');
const count = 'must be a whole number, 0 or more';

const tokenOptionShape: OptionShape<TokenOptions> = {
  ...keyOptionShape,
  issuer: texts,
  audience: texts,
  cacheSize: z.int(count).min(0, count),
  clock: optionTypes.clock,
};

/**
 * The cache is keyed by the header itself: a hash would cost fifteen times the lookup and protect nothing, since the
 * headers are in the same memory. Lookup time reveals no token, because the map compares hashes before texts.
 */
export class TokenAuthenticator {
  readonly #rules: ClaimRules;
  readonly #clock: Clock;
  readonly #cache: LRUCache<string, VerifiedToken> | null;
  readonly #verifierFor: VerifierFactory;
  #verify: TokenVerifier;

  /** `verifierFor` makes what checks signatures; by default it is jsonwebtoken. Throws `OPTION_INVALID`. */
  constructor(options: TokenOptions, verifierFor: VerifierFactory = tokenVerifier) {
    checkOptions(options, tokenOptionShape, 'auth.');
    const { cacheSize = 10_000 } = options;
    this.#rules = claimRules(options);
    this.#clock = options.clock ?? systemClock;
    this.#cache = cacheSize === 0 ? null : new LRUCache({ max: cacheSize });
    this.#verifierFor = verifierFor;
    this.#verify = verifierFor(verificationKeys(options));
  }

  /** `header` is the `Authorization` header of the request. Rejects with an `AuthenticationError`. */
  async authenticate(header: string | undefined): Promise<Caller> {
    return (await this.#verified(header)).caller;
  }

  /** Milliseconds for which the token is still valid. Rejects as `authenticate`. */
  async validFor(header: string | undefined): Promise<number> {
    return (await this.#verified(header)).expiresAt - this.#clock.now();
  }

  /** Replaces all keys and empties the cache. Throws `OPTION_INVALID` and keeps the old keys. */
  replaceKeys(keys: KeyOptions): void {
    checkOptions(keys, keyOptionShape, 'auth.');
    this.#verify = this.#verifierFor(verificationKeys(keys));
    this.#cache?.clear();
  }

  async #verified(header: string | undefined): Promise<VerifiedToken> {
    const cached = header === undefined ? undefined : this.#cache?.get(header);
    if (header === undefined || cached === undefined) return this.#verifyHeader(header);
    if (cached.expiresAt > this.#clock.now()) return cached;
    this.#cache?.delete(header);
    throw new AuthenticationError('expired', 'The token has expired.');
  }

  async #verifyHeader(header = ''): Promise<VerifiedToken> {
    const verify = this.#verify;
    const token = bearerToken(header);
    const verified = readClaims(await verify(token), this.#rules, this.#clock.now());
    // The keys may have been replaced since.
    if (isCanonical(header, token) && verify === this.#verify) this.#cache?.set(header, verified);
    return verified;
  }
}

function claimRules({ issuer, audience }: TokenRules): ClaimRules {
  return {
    ...(issuer === undefined ? {} : { issuers: [issuer].flat() }),
    ...(audience === undefined ? {} : { audiences: [audience].flat() }),
  };
}
