/** From an `Authorization` header to the caller, with a bounded memory of tokens that were verified before. */
import { systemClock } from '@blockwork/core';
import type { Caller, Clock } from '@blockwork/core';
import { LRUCache } from 'lru-cache';
import { invalidOption } from '../options.js';
import { AuthenticationError } from './authentication-error.js';
import { bearerToken, isPlain } from './bearer.js';
import { readClaims } from './claims.js';
import type { VerifiedToken } from './claims.js';
import { tokenVerifier } from './token-verifier.js';
import type { TokenRules, TokenVerifier } from './token-verifier.js';
import { verificationKeys } from './verification-key.js';
import type { KeyOptions } from './verification-key.js';

export interface TokenOptions extends KeyOptions, TokenRules {
  /** How many verified tokens are remembered, at about 1 KB each; 0 remembers none. 10,000 when absent. */
  readonly cacheSize?: number;
  /** What `exp` is compared with; the clock of the machine when absent. */
  readonly clock?: Clock;
}

/**
 * The memory is keyed by the header's text. Hashing it first would cost fifteen times the look-up and hide
 * nothing: whoever can read the memory of the process can read the headers too. Time does not tell tokens
 * apart either, since a table is searched by hash before any text is compared.
 */
export class TokenAuthenticator {
  readonly #rules: TokenRules;
  readonly #clock: Clock;
  readonly #remembered: LRUCache<string, VerifiedToken> | null;
  #verify: TokenVerifier;

  constructor(options: TokenOptions) {
    const size = options.cacheSize ?? 10_000;
    if (!Number.isInteger(size) || size < 0)
      throw invalidOption('auth.cacheSize', 'it must be a whole number, 0 or more');
    this.#rules = rulesOf(options);
    this.#clock = options.clock ?? systemClock;
    this.#remembered = size === 0 ? null : new LRUCache({ max: size });
    this.#verify = tokenVerifier(verificationKeys(options), this.#rules);
  }

  /** The caller, or an `AuthenticationError`. */
  async authenticate(header: string | undefined): Promise<Caller> {
    const known = header === undefined ? undefined : this.#remembered?.get(header);
    if (known === undefined) return (await this.#admit(header)).caller;
    if (known.expiresAt > this.#clock.now()) return known.caller;
    this.#remembered?.delete(header ?? '');
    throw new AuthenticationError('expired', 'The token has expired.');
  }

  /** From now on only these keys count; what was verified with earlier ones is forgotten. */
  replaceKeys(keys: KeyOptions): void {
    this.#verify = tokenVerifier(verificationKeys(keys), this.#rules);
    this.#remembered?.clear();
  }

  async #admit(header: string | undefined): Promise<VerifiedToken> {
    const token = bearerToken(header);
    const verify = this.#verify;
    const verified = readClaims(await verify(token), this.#clock.now());
    // The keys may have been replaced while the signature was checked.
    if (header !== undefined && isPlain(header, token) && verify === this.#verify)
      this.#remembered?.set(header, verified);
    return verified;
  }
}

function rulesOf({ issuer, audience }: TokenOptions): TokenRules {
  for (const [name, value] of Object.entries({ issuer, audience })) {
    // An empty list would be no rule at all to the library underneath.
    if (value !== undefined && (value.length === 0 || (typeof value !== 'string' && value.includes('')))) {
      throw invalidOption(`auth.${name}`, 'it must be a text or a list of texts, none of them empty');
    }
  }
  return { ...(issuer === undefined ? {} : { issuer }), ...(audience === undefined ? {} : { audience }) };
}
