/** Authenticates requests by their Bearer token, with an LRU cache of verified tokens. */
import { type Caller, type Clock, consoleLogger, type Logger, systemClock } from '@blockwork/core';
import { checkOptions, type OptionShape, optionTypes } from '@blockwork/core/adapter';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';
import { bearerToken, isCanonical } from './bearer.js';
import { type ClaimRules, readClaims, type VerifiedToken } from './claims.js';
import { jsonwebtoken } from './jsonwebtoken.js';
import { type KeyOptions, keyOptionShape, verificationKeys } from './key-options.js';
import { selectKey } from './key-selection.js';
import { RemoteKeys } from './remote-keys.js';
import type { RoleRule } from './role-rule.js';
import { subjectTemplate } from './subject.js';
import type { VerificationKey } from './verification-key.js';

export interface TokenRules {
  /** Accepted values of `iss`; not checked if absent. */
  readonly issuer?: string | readonly string[];
  /** Accepted values of `aud`; not checked if absent. */
  readonly audience?: string | readonly string[];
  /**
   * Template for the caller's DID, for identity providers whose `sub` is not a DID: a DID with `{sub}` between colons or at the
   * end, for example `did:web:example.org:users:{sub}`. Every `sub` is inserted percent-encoded, even if it is a DID, so that
   * no caller can assume the DID of another. Needs one `issuer`, or `{iss}` in the template. Without it, `sub` must be a DID.
   */
  readonly subject?: string;
  /** Takes the platform role from a claim of the identity provider; `role` and `permissions` are then not read. */
  readonly roles?: RoleRule;
}

export interface TokenOptions extends KeyOptions, TokenRules {
  /** Verified tokens to cache, about 1 KB each; 0 disables the cache. Default 10,000. */
  readonly cacheSize?: number;
  /** The clock for token expiry; the system clock by default. */
  readonly clock?: Clock;
  /** Logs failures to load keys; by default the logger of the interface. */
  readonly logger?: Logger;
}

/** Verified tokens that are kept. */
export const defaultCacheSize = 10_000;

/** Creates a signature verifier for a set of keys. */
export type VerifierFactory = (keys: readonly VerificationKey[]) => TokenVerifier;

const empty = 'must not be empty';
const text = z.string().min(1, empty);
const texts = z.union([text, z.array(text).min(1, empty)], 'must be a string or a list of strings');
const count = 'must be a whole number, 0 or more';

const tokenOptionShape: OptionShape<TokenOptions> = {
  ...keyOptionShape,
  issuer: texts,
  audience: texts,
  subject: text,
  roles: z.strictObject({
    claim: text,
    values: z
      .array(z.strictObject({ value: text, role: text }))
      .min(1, empty)
      .optional(),
    otherwise: text.optional(),
  }),
  cacheSize: z.int(count).min(0, count),
  clock: optionTypes.clock,
  logger: optionTypes.logger,
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
  readonly #logger: Logger;
  #remote: RemoteKeys | null = null;
  #verify: TokenVerifier;

  /** `verifierFor` creates the signature verifier; by default jsonwebtoken. Throws `OPTION_INVALID`. */
  constructor(options: TokenOptions, verifierFor: VerifierFactory = tokenVerifier) {
    checkOptions(options, tokenOptionShape, 'auth.');
    const { cacheSize = defaultCacheSize } = options;
    this.#rules = claimRules(options);
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? consoleLogger({ level: 'warn' });
    this.#cache = cacheSize === 0 ? null : new LRUCache({ max: cacheSize });
    this.#verifierFor = verifierFor;
    this.#verify = this.#use(options);
  }

  /**
   * `header` is the `Authorization` header of the request. Rejects with an `AuthenticationError`, or with a
   * `KeysUnavailableError` if keys cannot be loaded.
   *
   * @example
   * const caller = await authenticator.authenticate(request.headers.authorization);
   * const page = await engine.readBlock(caller, policyId, { tag: 'notes' });
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    return (await this.verify(header)).caller;
  }

  /**
   * The caller, and when the token expires. Rejects as `authenticate`.
   *
   * @example const { caller, expiresAt } = await authenticator.verify(request.headers.authorization);
   */
  async verify(header = ''): Promise<VerifiedToken> {
    // Malformed tokens are rejected without waiting for keys.
    const token = this.#cache?.has(header) === true ? null : bearerToken(header);
    const loading = this.#remote?.ready() ?? null;
    if (loading !== null) await loading;
    const cached = token === null ? this.#cache?.get(header) : undefined;
    if (cached === undefined) return this.#verifyToken(token ?? bearerToken(header), header);
    if (cached.expiresAt > this.#clock.now()) return cached;
    this.#cache?.delete(header);
    throw new AuthenticationError('expired', 'The token has expired.');
  }

  /**
   * Milliseconds for which the token is still valid. Rejects as `authenticate`.
   *
   * @example const ms = await authenticator.validFor(request.headers.authorization);
   */
  async validFor(header: string | undefined): Promise<number> {
    return (await this.verify(header)).expiresAt - this.#clock.now();
  }

  /**
   * Replaces all keys and empties the cache. Throws `OPTION_INVALID` and keeps the old keys.
   *
   * @example authenticator.replaceKeys({ secret: await readFile('secret') });
   */
  replaceKeys(keys: KeyOptions): void {
    checkOptions(keys, keyOptionShape, 'auth.');
    this.#verify = this.#use(keys);
    this.#cache?.clear();
  }

  /** A verifier for the keys; remote keys are added once loaded. */
  #use(options: KeyOptions): TokenVerifier {
    const ownKeys = verificationKeys(options);
    const { keySet } = options;
    const use = (loaded: readonly VerificationKey[]): void => {
      if (this.#remote !== remote) return;
      this.#verify = this.#verifierFor([...ownKeys, ...loaded]);
      this.#cache?.clear();
    };
    const deps = { clock: this.#clock, logger: this.#logger, use };
    const remote = keySet === undefined ? null : new RemoteKeys(keySet, deps);
    this.#remote = remote;
    return this.#verifierFor(ownKeys);
  }

  async #verifyToken(token: string, header: string): Promise<VerifiedToken> {
    const { payload, verify } = await this.#payloadOf(token);
    const verified = readClaims(payload, this.#rules, this.#clock.now());
    // The keys may have been replaced since.
    if (isCanonical(header, token) && verify === this.#verify) this.#cache?.set(header, verified);
    return verified;
  }

  async #payloadOf(token: string): Promise<{ readonly payload: unknown; readonly verify: TokenVerifier }> {
    const verify = this.#verify;
    try {
      return { payload: await verify(token), verify };
    } catch (error) {
      const isKeyUnknown = error instanceof AuthenticationError && error.problem === 'key';
      if (!isKeyUnknown || this.#remote === null) throw error;
      await this.#remote.refresh();
      const latest = this.#verify;
      if (latest === verify) throw error;
      return { payload: await latest(token), verify: latest };
    }
  }
}

function claimRules({ issuer, audience, subject, roles }: TokenRules): ClaimRules {
  const issuers = issuer === undefined ? undefined : [issuer].flat();
  return {
    ...(issuers === undefined ? {} : { issuers }),
    ...(audience === undefined ? {} : { audiences: [audience].flat() }),
    ...(subject === undefined ? {} : { subject: subjectTemplate(subject, issuers?.length) }),
    ...(roles === undefined ? {} : { roles }),
  };
}

/** Resolves with the unvalidated claims. Rejects with an `AuthenticationError`. */
export type TokenVerifier = (token: string) => Promise<unknown>;

/** Left to readClaims, which knows the clock. */
export const withoutTimes = { ignoreExpiration: true, ignoreNotBefore: true } as const;

function tokenVerifier(keys: readonly VerificationKey[]): TokenVerifier {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const jwt = jsonwebtoken();
  return async (token) => {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      return jwt.verify(token, selectKey(keys, header), { algorithms, ...withoutTimes });
    } catch (error) {
      throw authenticationError(error);
    }
  };
}

/** Maps an error of jsonwebtoken to an `AuthenticationError`. */
export function authenticationError(cause: unknown): AuthenticationError {
  if (cause instanceof AuthenticationError) return cause;
  // The TypeError is about an ES256 signature of the wrong length.
  return cause instanceof jsonwebtoken().JsonWebTokenError || cause instanceof TypeError
    ? new AuthenticationError('signature', 'The signature of the token is not valid.', cause)
    : new AuthenticationError('malformed', 'The token is malformed.', cause);
}
