/** Decides at the root of a trace whether it is recorded, before anything is made of it. */
import { randomFillSync } from 'node:crypto';
import { readTraceparent, writeTraceparent, type Operation } from '@blockwork/core';
import { TraceFlags, type SpanContext } from '@opentelemetry/api';

/**
 * Whether spans are made of an operation. One that is dropped carries a `traceparent` that says so, and all that it causes is
 * dropped with it.
 */
export type Sampler = (
  operation: Operation,
  /** The span that is active, where it is the parent. */
  active: SpanContext | undefined,
  /** Of work done for several at once. */
  causes: readonly string[] | undefined,
) => boolean;

/** Those above decide: the parent, or one of the causes. At the root, `ratio` does. */
export function parentOrRatio(ratio: number): Sampler {
  const next = randomIds();
  return (operation, active, causes = []) => {
    if (active !== undefined) {
      if (isSampled(active.traceFlags)) return true;
      const { traceId, spanId, traceFlags: flags } = active;
      operation.traceparent = writeTraceparent({ traceId, spanId, flags });
      return false;
    }
    const parent = readTraceparent(operation.traceparent)?.flags;
    if (parent !== undefined) return isSampled(parent);
    if (causes.length > 0) return causes.some((cause) => isSampled(readTraceparent(cause)?.flags ?? 0));
    const { traceId, spanId, randomness } = next();
    if (randomness >= 1 - ratio) return true;
    operation.traceparent = writeTraceparent({ traceId, spanId, flags: TraceFlags.NONE });
    return false;
  };
}

const isSampled = (flags: number): boolean => (flags & TraceFlags.SAMPLED) !== 0;

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
  /** From 0 to below 1, of the bits of the trace id that W3C Trace Context calls random. */
  readonly randomness: number;
}

/** Random bytes are fetched for many at once. */
function randomIds(): () => Ids {
  const pool = Buffer.alloc(IDS_AT_ONCE * ID_BYTES);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const [trace, span] = [at, at + TRACE_BYTES];
    at += ID_BYTES;
    // No id is zero.
    pool[trace] = (pool[trace] ?? 0) | 1;
    pool[span] = (pool[span] ?? 0) | 1;
    const ids = pool.toString('hex', trace, at);
    return {
      traceId: ids.slice(0, 2 * TRACE_BYTES),
      spanId: ids.slice(2 * TRACE_BYTES),
      randomness: pool.readUIntBE(trace + RANDOM_FROM, RANDOM_BYTES) / 2 ** (8 * RANDOM_BYTES),
    };
  };
}

const TRACE_BYTES = 16;
const ID_BYTES = TRACE_BYTES + 8;
const IDS_AT_ONCE = 128;
/** The upper six of the last seven bytes: as many as a number holds. */
const [RANDOM_FROM, RANDOM_BYTES] = [9, 6];
