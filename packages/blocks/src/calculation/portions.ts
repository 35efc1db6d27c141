/** How a number is cut up so that bundles of a threshold fill, exactly. */
import type { RunContext } from '@blockwork/core/block';
import type { Decimal } from '../formulas/index.js';

/** Pieces that one document may be cut into: each is a credential of its own. */
const PIECES_AT_MOST = 1_000;

/**
 * `filled` is what the open bundle holds, less than the threshold: the first piece fills it up, then come whole bundles,
 * then what is left. Fails where there would be more than a thousand.
 */
export function portions(ctx: RunContext, total: Decimal, threshold: Decimal, filled: Decimal): Decimal[] {
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
