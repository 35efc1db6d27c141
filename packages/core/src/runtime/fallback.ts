/** Handles the failure of a block as its policy provides (reference: `onErrorAction`, section 2.7). */
import { isBlockworkError } from '../errors.js';
import type { PolicyUser } from '../access/index.js';
import type { RunLog } from '../context/index.js';
import type { BlockNode } from '../policy/index.js';
import type { Json } from '../records/index.js';
import type { BlockEvent } from '../block-api/index.js';
import { ERROR } from '../block-api/index.js';
import { shownMessage } from '../shown-text.js';

/** The parts of a run needed to handle a failure. */
export interface FailingRun {
  readonly log: RunLog;
  emit(from: BlockNode, output: string, data: Json, user: PolicyUser, beside?: Pick<BlockEvent, 'carried'>): void;
  enter(parent: BlockNode, child: BlockNode, user: PolicyUser): Promise<boolean>;
  retryLater(block: BlockNode, event: BlockEvent, attempt: number, timeoutMs: number): void;
}

/** Whether a failure of this block is handled rather than failing the whole run. */
export const isProvidedFor = (block: BlockNode): boolean =>
  block.onError.action !== 'no-action' || (block.links.get(ERROR)?.length ?? 0) > 0;

/**
 * Applies the block's error action, after its own changes have been rolled back. Rethrows `error` if the action is
 * impossible, for instance if there is no such step.
 */
export async function fallBack(
  run: FailingRun,
  block: BlockNode,
  event: BlockEvent,
  error: unknown,
  attempt: number,
): Promise<void> {
  const { onError } = block;
  const handled = (block.links.get(ERROR)?.length ?? 0) > 0;
  if (handled) run.emit(block, ERROR, event.data, event.user, { carried: event.carried });
  if (onError.action === 'retry') {
    run.retryLater(block, event, attempt, onError.timeoutMs);
  } else if (onError.action !== 'no-action') {
    const next = stepAfterFailure(block);
    const moved = next !== undefined && (await run.enter(next.parent, next.child, event.user));
    if (!moved && !handled) throw error;
  }
  const code = isBlockworkError(error) ? error.code : 'INTERNAL';
  const message = shownMessage(error);
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
