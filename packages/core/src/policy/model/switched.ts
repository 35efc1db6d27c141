/** Which blocks `defaultActive` switches off. */
import type { BlockNode } from './policy-model.js';

/**
 * Addons that users work with are off while `defaultActive` is false. Document sources and history are not
 * shown by themselves, and published policies write false on nearly all of them while relying on them.
 */
export function isSwitched(node: BlockNode): boolean {
  const kind = node.definition?.kind;
  return kind === 'paging' || kind === 'filter';
}
