/** Determines which blocks `defaultActive` switches off. */
import type { BlockNode } from './policy-model.js';

/**
 * Interactive addons are switched off by `defaultActive: false`. Document sources and history are not, because they are
 * never shown on their own and nearly all published policies set it to false while relying on them.
 */
export function isSwitched(node: BlockNode): boolean {
  const kind = node.definition?.kind;
  return kind === 'paging' || kind === 'filter';
}
