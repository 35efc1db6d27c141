/** Divides a number exactly, so that bundles of a threshold fill up. */
import type { RunContext } from '@blockwork/core/block';
import type { Real } from '../formulas/index.js';

/** Each piece of a document is a credential. */
const PIECES_AT_MOST = 1_000;

/**
 * `filled` is the content of the open bundle, below the threshold. The first piece completes that bundle, whole bundles
 * follow, and the remainder comes last. Fails with `INPUT_INVALID` above the maximum number of pieces.
 */
export function portions(ctx: RunContext, total: Real, threshold: Real, filled: Real): Real[] {
  const needed = threshold.minus(filled);
  if (total.lt(needed)) return [total];
  const rest = total.minus(needed);
  const whole = rest.dividedBy(threshold).floor();
  if (whole.gt(PIECES_AT_MOST)) {
    const reason = `Block "${ctx.block.tag}" cannot cut ${total.toString()} into more than ${String(PIECES_AT_MOST)} pieces of ${threshold.toString()}.`;
    return ctx.fail('INPUT_INVALID', { facts: { reason } });
  }
  const left = rest.minus(whole.times(threshold));
  const bundles = Array.from({ length: whole.toNumber() }, () => threshold);
  return [needed, ...bundles, ...(left.isZero() ? [] : [left])];
}
