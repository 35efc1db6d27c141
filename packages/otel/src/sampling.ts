/** Decides at the root of a trace whether it is recorded, before anything is made of it. */
import { randomFillSync } from 'node:crypto';
import { writeTraceparent, type Operation } from '@blockwork/core';
import { rememberTraceparent, traceFlagsOf } from '@blockwork/core/adapter';
import { TraceFlags, type SpanContext } from '@opentelemetry/api';

/**
 * Whether spans are made of an operation. One that is dropped carries a `traceparent` that says so, and all that it causes is
 * dropped with it.
 */
export type Sampler = (
  operation: Operation,
  /** The flags of its `traceparent`, where it has a valid one. */
  flags: number | undefined,
  /** The span that is active, where it is the parent. */
  active: SpanContext | undefined,
  /** Of work done for several at once. */
  causes: readonly string[] | undefined,
) => boolean;

/** Those above decide: the parent, or one of the causes. At the root, `ratio` does. */
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

/** The ids of traces that are dropped. They are drawn and written for many at once: most of them are never looked at. */
class DroppedRoots {
  readonly #bytes = Buffer.alloc(AT_ONCE * ID_BYTES);
  readonly #written = Buffer.from(FORM.repeat(AT_ONCE));
  #texts = '';
  #at = AT_ONCE - 1;

  next(): void {
    this.#at += 1;
    if (this.#at < AT_ONCE) return;
    this.#draw();
    this.#at = 0;
  }

  /** From 0 to below 1, of the bits of the trace id that W3C Trace Context calls random. */
  get randomness(): number {
    return this.#bytes.readUIntBE(this.#at * ID_BYTES + RANDOM_FROM, RANDOM_BYTES) / 2 ** (8 * RANDOM_BYTES);
  }

  get traceparent(): string {
    const text = this.#texts.slice(this.#at * FORM.length, (this.#at + 1) * FORM.length);
    rememberTraceparent(text);
    return text;
  }

  #draw(): void {
    const [bytes, written] = [randomFillSync(this.#bytes), this.#written];
    let from = 0;
    for (let id = 0; id < AT_ONCE; id += 1) {
      // No id is zero.
      bytes[from] = (bytes[from] ?? 0) | 1;
      bytes[from + TRACE_BYTES] = (bytes[from + TRACE_BYTES] ?? 0) | 1;
      let to = id * FORM.length + TRACE_AT;
      for (let at = 0; at < ID_BYTES; at += 1) {
        if (at === TRACE_BYTES) to += '-'.length;
        const byte = bytes[from] ?? 0;
        written[to] = DIGITS[byte >> 4] ?? 0;
        written[to + 1] = DIGITS[byte & 15] ?? 0;
        from += 1;
        to += 2;
      }
    }
    this.#texts = written.toString('latin1');
  }
}

const TRACE_BYTES = 16;
const ID_BYTES = TRACE_BYTES + 8;
const TRACE_AT = '00-'.length;
const FORM = `00-${'0'.repeat(2 * TRACE_BYTES)}-${'0'.repeat(2 * (ID_BYTES - TRACE_BYTES))}-00`;
const DIGITS = Buffer.from('0123456789abcdef');
/** A text that is kept somewhere keeps those that it was drawn with. */
const AT_ONCE = 64;
/** The upper six of the last seven bytes: as many as a number holds. */
const [RANDOM_FROM, RANDOM_BYTES] = [9, 6];
