/** The keys of an identity provider: loaded lazily, cached, and reloaded when a token names an unknown key. */
import type { Clock, Logger } from '@blockwork/core';
import { optionTypes, withDefaults } from '@blockwork/core/adapter';
import { z } from 'zod';
import { KeysUnavailableError } from './keys-unavailable-error.js';
import { keySetLoader } from './load-key-set.js';
import type { LoadKeySet } from './load-key-set.js';
import type { VerificationKey } from './verification-key.js';

export interface KeySetOptions {
  /** Address of a JWK Set (RFC 7517): `https:`, `http:` on a loopback address, or `file:`. Redirects are not followed. */
  readonly url: string;
  /** Milliseconds after which keys are reloaded; until that succeeds, they stay in use. Default 10 minutes. */
  readonly maxAgeMs?: number;
  /** Grace period in ms after which stale keys are no longer used. Default 1 hour. */
  readonly staleMs?: number;
  /** Minimum time in ms between attempts, successful or not. Default 30 s. */
  readonly cooldownMs?: number;
  /** Timeout of an attempt in ms. Default 5 s. */
  readonly timeoutMs?: number;
  /** Maximum size of the set in bytes. Default 256 KiB. */
  readonly bytes?: number;
}

export const defaultKeySetLimits = {
  maxAgeMs: 600_000,
  staleMs: 3_600_000,
  cooldownMs: 30_000,
  timeoutMs: 5_000,
  bytes: 256 * 1024,
} as const;

const duration = optionTypes.milliseconds(0);

export const keySetShape = z.strictObject({
  url: z.string(),
  maxAgeMs: duration.optional(),
  staleMs: duration.optional(),
  cooldownMs: duration.optional(),
  timeoutMs: optionTypes.milliseconds(1).optional(),
  bytes: optionTypes.wholeNumber(1).optional(),
});

export interface RemoteKeysDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with each changed set. */
  readonly use: (keys: readonly VerificationKey[]) => void;
}

/**
 * Requests never wait for a refresh of keys that are still usable, and a flood of unknown key ids does not reach the provider:
 * attempts are `cooldownMs` apart. (jose's remote set keeps that distance only after successes, and has no use for old keys while the
 * provider is down.)
 */
export class RemoteKeys {
  readonly #options: Required<KeySetOptions>;
  readonly #deps: RemoteKeysDeps;
  readonly #load: LoadKeySet;
  #loadedAt = -Infinity;
  #triedAt = -Infinity;
  #failure: unknown = null;
  #current = '';
  #loading: Promise<void> | null = null;

  /** Loads nothing yet. Throws `OPTION_INVALID`. */
  constructor(options: KeySetOptions, deps: RemoteKeysDeps) {
    this.#options = {
      ...withDefaults<Omit<Required<KeySetOptions>, 'url'>>(options, defaultKeySetLimits),
      url: options.url,
    };
    this.#deps = deps;
    this.#load = keySetLoader(options.url, this.#options);
  }

  /**
   * `null` if the keys are usable, even if a refresh is in progress; otherwise a promise to wait for, which
   * rejects with a `KeysUnavailableError`.
   */
  ready(): Promise<void> | null {
    const { maxAgeMs, staleMs } = this.#options;
    const age = this.#deps.clock.now() - this.#loadedAt;
    if (age < maxAgeMs) return null;
    const loading = this.#attempt();
    return age < maxAgeMs + staleMs ? null : this.#assertLoaded(loading);
  }

  /**
   * For a token with an unknown key: reloads the keys, unless that happened a moment ago. Rejects with a
   * `KeysUnavailableError` if the last attempt failed, since the key may be a new one.
   */
  refresh(): Promise<void> {
    return this.#assertLoaded(this.#attempt());
  }

  async #assertLoaded(loading: Promise<void> | null): Promise<void> {
    await loading;
    if (this.#failure !== null) throw this.#unavailable();
  }

  /** One reload at a time; `null` during the cooldown. Never rejects. */
  #attempt(): Promise<void> | null {
    if (this.#loading !== null) return this.#loading;
    const now = this.#deps.clock.now();
    if (now < this.#triedAt + this.#options.cooldownMs) return null;
    this.#triedAt = now;
    this.#loading = this.#try().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #try(): Promise<void> {
    const { clock, logger, use } = this.#deps;
    const { url } = this.#options;
    try {
      const keys = await this.#load();
      const text = JSON.stringify(keys.map(({ key, ...named }) => [named, key.export({ format: 'jwk' })]));
      if (text !== this.#current) use(keys);
      this.#current = text;
      this.#loadedAt = clock.now();
      if (this.#failure !== null) logger.info('The keys of the identity provider can be loaded again.', { url });
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
      logger.warn('The keys of the identity provider cannot be loaded.', { url, error });
    }
  }

  #unavailable(): KeysUnavailableError {
    const wait = this.#triedAt + this.#options.cooldownMs - this.#deps.clock.now();
    return new KeysUnavailableError(Math.max(1, Math.ceil(wait / 1000)), this.#failure);
  }
}
