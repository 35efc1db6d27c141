/** The keys of an identity provider: loaded lazily, cached, and reloaded when a token names an unknown key. */
import type { Clock, Logger } from '@blockwork/core';
import { invalidOption, optionTypes, withDefaults } from '@blockwork/core/adapter';
import { open } from 'node:fs/promises';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { usableKeysOfSet } from './jwk-set.js';
import { isLoopbackName } from './loopback.js';
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

interface KeySetLimits {
  /** Maximum size in bytes. */
  readonly bytes: number;
  /** Timeout in ms. */
  readonly timeoutMs: number;
}

/** Rejects with an `Error` whose message is for the log. */
type LoadKeySet = () => Promise<readonly VerificationKey[]>;

const keySet = z.looseObject({ keys: z.array(z.looseObject({})).max(100, 'holds more than 100 keys') });

/** `url` begins with `https:`, with `http:` and a loopback address, or with `file:`. Throws `OPTION_INVALID`. */
function keySetLoader(url: string, limits: KeySetLimits): LoadKeySet {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !isTrustworthy(address)) {
    throw invalidOption('auth.keySet.url', 'it must begin with https:, file:, or http: and a loopback address');
  }
  if (address.username !== '' || address.password !== '') {
    throw invalidOption('auth.keySet.url', 'it must not hold a name or a password');
  }
  const read = address.protocol === 'file:' ? readFile : fetchBytes;
  return async () => {
    const bytes = await read(address, limits);
    const content = keySet.parse(parse(bytes.toString('utf8')));
    const keys = usableKeysOfSet(content.keys);
    if (keys.length === 0) throw new Error('It has no key for RS256 or ES256.');
    return keys;
  };
}

/** Plain HTTP can be tampered with in transit. */
const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || protocol === 'file:' || (protocol === 'http:' && isLoopbackName(hostname));

/** Redirects are refused: they could lead away from https, or into the network of the server. */
async function fetchBytes(url: URL, { bytes, timeoutMs }: KeySetLimits): Promise<Buffer> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The answer has the status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytes) throw new Error(`It is larger than ${bytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readFile(url: URL, { bytes }: KeySetLimits): Promise<Buffer> {
  const file = await open(url);
  try {
    const { size } = await file.stat();
    if (size > bytes) throw new Error(`It is larger than ${bytes} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Answered with 503. The cause, which may name addresses, is for the log. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
  /** Time until the next attempt to load the keys. */
  readonly seconds: number;

  constructor(seconds: number, cause: unknown) {
    super('The keys for verifying tokens cannot be loaded.', { cause });
    this.seconds = seconds;
  }
}
