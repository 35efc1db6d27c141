/** What one caller, and what all callers of one policy, may do at a time. */
import type { Clock } from '@blockwork/core';
import type { OptionShape } from '@blockwork/core/adapter';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { TransportError } from '../answer/transport-error.js';
import { defaultLimits } from './default-limits.js';
import { TokenBucket } from './token-bucket.js';

/** Of each caller. */
export interface CallerRates {
  /** Requests a second on average; no limit by default. */
  readonly requests?: number;
  /** Bytes of bodies a second on average, received and sent; no limit by default. */
  readonly bytes?: number;
  /** For how many seconds a caller may save up what was not used; default 10. */
  readonly burstSeconds?: number;
}

export interface LimitOptions {
  /** Beyond it, a caller gets 429 with `Retry-After`; no limit by default. */
  readonly callerRates?: CallerRates;
  /** Sends to one policy that are under way or wait; further ones get 503 with `Retry-After`. Default 1,000. */
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

/** Callers whose rates are remembered at most; those that have not called for longest begin anew. */
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
  readonly #sends = new Map<string, number>();

  constructor({ callerRates, sendsPerPolicy = defaultLimits.sendsPerPolicy }: LimitOptions, clock: Clock) {
    const hasRates = callerRates?.requests !== undefined || callerRates?.bytes !== undefined;
    this.#rates = hasRates ? callerRates : null;
    this.#sendsPerPolicy = sendsPerPolicy;
    this.#clock = clock;
  }

  /** Whether `charge` has to be told the bytes of answers. */
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

  /** What a request of the caller has received and sent. It may be more than was left: further requests then wait for longer. */
  charge(caller: string, bytes: number): void {
    if (this.#rates !== null) this.#bucketsOf(caller, this.#rates).bytes?.take(bytes);
  }

  /** Counts a send to the policy until `endSend`. Throws `POLICY_BUSY`. */
  beginSend(policyId: string): void {
    const sends = this.#sends.get(policyId) ?? 0;
    if (sends >= this.#sendsPerPolicy) {
      throw new TransportError('POLICY_BUSY', {
        facts: { policyId, limit: this.#sendsPerPolicy },
        headers: { 'Retry-After': '1' },
      });
    }
    this.#sends.set(policyId, sends + 1);
  }

  endSend(policyId: string): void {
    const sends = (this.#sends.get(policyId) ?? 0) - 1;
    if (sends > 0) this.#sends.set(policyId, sends);
    else this.#sends.delete(policyId);
  }

  #bucketsOf(caller: string, { requests, bytes, burstSeconds = defaultLimits.burstSeconds }: CallerRates): Buckets {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
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
