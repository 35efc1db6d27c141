/** Rate limits per caller, and concurrency limits per policy, shared out by caller. */
import type { Clock } from '@blockwork/core';
import type { OptionShape } from '@blockwork/core/adapter';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { TransportError } from '../answer/transport-error.js';
import { defaultLimits } from './default-limits.js';
import { Holdings } from './shares.js';
import { TokenBucket } from './token-bucket.js';

/** Limits of each caller. */
export interface CallerRates {
  /** Average requests per second; no limit by default. */
  readonly requests?: number;
  /** Average bytes of bodies per second, received and sent; no limit by default. */
  readonly bytes?: number;
  /** Burst size: the seconds of unused allowance a caller may accumulate; default 10. */
  readonly burstSeconds?: number;
}

export interface LimitOptions {
  /** Limits beyond which a caller gets 429 with `Retry-After`; none by default. */
  readonly callerRates?: CallerRates;
  /** Maximum sends to one policy in progress or queued; further ones get 503 with `Retry-After`. Default 1,000. */
  readonly sendsPerPolicy?: number;
}

const aboveZero = 'must be a number above 0';
const amount = z.number(aboveZero).positive(aboveZero);
const whole = 'must be a whole number, 1 or more';

export const limitShape: OptionShape<LimitOptions> = {
  callerRates: z.strictObject({
    requests: amount.optional(),
    bytes: amount.optional(),
    burstSeconds: amount.optional(),
  }),
  sendsPerPolicy: z.int(whole).min(1, whole),
};

/** LRU capacity: the maximum number of callers whose rates are tracked. */
const CALLERS = 10_000;

interface Buckets {
  readonly requests: TokenBucket | null;
  readonly bytes: TokenBucket | null;
}

export class RequestLimits {
  readonly #rates: CallerRates | null;
  readonly #sendsPerPolicy: number;
  readonly #clock: Clock;
  readonly #callers = new LRUCache<string, Buckets>({ max: CALLERS });
  readonly #sends = new Map<string, Holdings>();

  constructor({ callerRates, sendsPerPolicy = defaultLimits.sendsPerPolicy }: LimitOptions, clock: Clock) {
    const hasRates = callerRates?.requests !== undefined || callerRates?.bytes !== undefined;
    this.#rates = hasRates ? callerRates : null;
    this.#sendsPerPolicy = sendsPerPolicy;
    this.#clock = clock;
  }

  /** Whether `charge` must be called with the bytes of responses. */
  get countsBytes(): boolean {
    return this.#rates?.bytes !== undefined;
  }

  /** Counts one request. Throws `RATE_LIMITED`. */
  admit(caller: string): void {
    if (this.#rates === null) return;
    const { requests, bytes } = this.#bucketsOf(caller, this.#rates);
    const untilRequest = requests?.msUntil(1) ?? 0;
    if (untilRequest > 0) throw rateLimited(`${this.#rates.requests} requests`, untilRequest);
    const untilBytes = bytes?.msUntil(1) ?? 0;
    if (untilBytes > 0) throw rateLimited(`${this.#rates.bytes} bytes`, untilBytes);
    requests?.take(1);
  }

  /** Charges the bytes of a request. May overdraw the allowance, which delays further requests. */
  charge(caller: string, bytes: number): void {
    if (this.#rates !== null) this.#bucketsOf(caller, this.#rates).bytes?.take(bytes);
  }

  /** Counts a send to the policy until `endSend`. Throws `POLICY_BUSY`. */
  beginSend(policyId: string, caller: string): void {
    const sends = this.#sends.get(policyId) ?? new Holdings();
    if (!sends.take(caller, 1, this.#sendsPerPolicy)) {
      throw new TransportError('POLICY_BUSY', {
        facts: { policyId, limit: this.#sendsPerPolicy },
        headers: { 'Retry-After': '1' },
      });
    }
    this.#sends.set(policyId, sends);
  }

  endSend(policyId: string, caller: string): void {
    const sends = this.#sends.get(policyId);
    sends?.giveBack(caller, 1);
    if (sends?.isEmpty === true) this.#sends.delete(policyId);
  }

  #bucketsOf(caller: string, { requests, bytes, burstSeconds = defaultLimits.burstSeconds }: CallerRates): Buckets {
    const callerBuckets = this.#callers.get(caller);
    if (callerBuckets !== undefined) return callerBuckets;
    const bucket = (rate: number | undefined): TokenBucket | null =>
      rate === undefined ? null : new TokenBucket(rate, Math.max(1, rate * burstSeconds), this.#clock);
    const buckets = { requests: bucket(requests), bytes: bucket(bytes) };
    this.#callers.set(caller, buckets);
    return buckets;
  }
}

function rateLimited(rate: string, ms: number): TransportError {
  const seconds = Math.ceil(ms / 1000);
  return new TransportError('RATE_LIMITED', { facts: { rate, seconds }, headers: { 'Retry-After': String(seconds) } });
}
