/** What a policy provides for when a block fails in the middle of a run (reference: `onErrorAction`, section 2.7). */
import { isBlockworkError } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import type { BlockEvent } from '../block-api/index.js';
import { ERROR } from '../block-api/index.js';
import type { Run } from './run.js';

/** Whether a failure of this block ends there, instead of ending the whole run. */
export const isProvidedFor = (block: BlockNode): boolean =>
  block.onError.action !== 'no-action' || (block.links.get(ERROR)?.length ?? 0) > 0;

/**
 * Carries out what the block asks for, after its own changes have been taken back. Rethrows where it asks for
 * something that cannot be done: a step that is not there.
 */
export async function fallBack(
  run: Run,
  block: BlockNode,
  event: BlockEvent,
  error: unknown,
  attempt: number,
): Promise<void> {
  const { onError } = block;
  const handled = (block.links.get(ERROR)?.length ?? 0) > 0;
  if (handled) run.emit(block, ERROR, event.data, event.user);
  if (onError.action === 'retry') {
    run.retryLater(block, event, attempt, onError.timeoutMs);
  } else if (onError.action !== 'no-action') {
    const next = stepAfterFailure(block);
    const moved = next !== undefined && (await run.enter(next.parent, next.child, event.user));
    if (!moved && !handled) throw error;
  }
  const code = isBlockworkError(error) ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  const action = onError.action === 'no-action' ? ERROR : onError.action;
  run.log.warnings.push({ tag: block.tag, code, message, action });
}

function stepAfterFailure({ parent, onError }: BlockNode): { parent: BlockNode; child: BlockNode } | undefined {
  if (parent === null) return undefined;
  const child =
    onError.action === 'goto-step'
      ? parent.children[onError.step]
      : parent.children.find(({ tag }) => onError.action === 'goto-tag' && tag === onError.tag);
  return child && { parent, child };
}
