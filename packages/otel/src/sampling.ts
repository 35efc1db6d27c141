/** Head sampling: decides whether a trace is recorded before any span is created. */
import { randomFillSync } from 'node:crypto';
import { writeTraceparent, type Operation } from '@blockwork/core';
import { rememberTraceparent, traceFlagsOf } from '@blockwork/core/adapter';
import { TraceFlags, type SpanContext } from '@opentelemetry/api';

/**
 * Whether an operation becomes a span. A dropped one carries a `traceparent` without the sampled flag, so that
 * everything it causes is dropped too.
 */
export type Sampler = (
  operation: Operation,
  /** The flags of its `traceparent`, if that is valid. */
  flags: number | undefined,
  /** The active span, if it is the parent. */
  active: SpanContext | undefined,
  /** The trace contexts of its causes, for work done on behalf of several operations. */
  causes: readonly string[] | undefined,
) => boolean;

/** Follows the parent, or else any of the causes. At the root of a trace, `ratio` decides. */
export function parentOrRatio(ratio: number): Sampler {
  const roots = new DroppedRoots();
  return (operation, flags, active, causes) => {
    if (active !== undefined) {
      if (isSampled(active.traceFlags)) return true;
      const { traceId, spanId, traceFlags } = active;
      operation.traceparent = writeTraceparent({ traceId, spanId, flags: traceFlags });
      return false;
    }
    if (flags !== undefined) return isSampled(flags);
    if (causes !== undefined && causes.length > 0) return causes.some((cause) => isSampled(traceFlagsOf(cause) ?? 0));
    roots.next();
    if (roots.randomness >= 1 - ratio) return true;
    operation.traceparent = roots.traceparent;
    return false;
  };
}

const isSampled = (flags: number): boolean => (flags & TraceFlags.SAMPLED) !== 0;

/** The trace contexts of dropped traces, generated in batches, because most of them are never read. */
class DroppedRoots {
  readonly #bytes = Buffer.alloc(BATCH_SIZE * ID_BYTES);
  readonly #encoded = Buffer.from(TEMPLATE.repeat(BATCH_SIZE));
  #texts = '';
  #at = BATCH_SIZE - 1;

  next(): void {
    this.#at += 1;
    if (this.#at < BATCH_SIZE) return;
    this.#refill();
    this.#at = 0;
  }

  /** From 0 up to but not including 1, from the bits of the trace id that W3C Trace Context defines as random. */
  get randomness(): number {
    return this.#bytes.readUIntBE(this.#at * ID_BYTES + RANDOM_FROM, RANDOM_BYTES) / 2 ** (8 * RANDOM_BYTES);
  }

  get traceparent(): string {
    const text = this.#texts.slice(this.#at * TEMPLATE.length, (this.#at + 1) * TEMPLATE.length);
    rememberTraceparent(text);
    return text;
  }

  #refill(): void {
    const [bytes, encoded] = [randomFillSync(this.#bytes), this.#encoded];
    let from = 0;
    for (let id = 0; id < BATCH_SIZE; id += 1) {
      // W3C Trace Context forbids ids of all zeros.
      bytes[from] = (bytes[from] ?? 0) | 1;
      bytes[from + TRACE_BYTES] = (bytes[from + TRACE_BYTES] ?? 0) | 1;
      let to = id * TEMPLATE.length + TRACE_AT;
      for (let at = 0; at < ID_BYTES; at += 1) {
        if (at === TRACE_BYTES) to += '-'.length;
        const byte = bytes[from] ?? 0;
        encoded[to] = DIGITS[byte >> 4] ?? 0;
        encoded[to + 1] = DIGITS[byte & 15] ?? 0;
        from += 1;
        to += 2;
      }
    }
    this.#texts = encoded.toString('latin1');
  }
}

const TRACE_BYTES = 16;
const ID_BYTES = TRACE_BYTES + 8;
const TRACE_AT = '00-'.length;
const TEMPLATE = `00-${'0'.repeat(2 * TRACE_BYTES)}-${'0'.repeat(2 * (ID_BYTES - TRACE_BYTES))}-00`;
const DIGITS = Buffer.from('0123456789abcdef');
/** Small, because a `traceparent` that is kept anywhere keeps the text of its whole batch in memory. */
const BATCH_SIZE = 64;
/** The upper six of the last seven bytes: seven do not fit into a number. */
const [RANDOM_FROM, RANDOM_BYTES] = [9, 6];
