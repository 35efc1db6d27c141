/** Applies operations to the definition of a policy: all of them, or none. */
import { editOperations, type EditOperation } from '@blockwork/contract/edit-operations';
import type { Steps } from '../../loop-share.js';
import { copyJson } from '../../policy/index.js';
import { BlockworkError, isBlockworkError } from '../../errors.js';
import { describeDetails, toDetails } from '../../problem-details.js';
import type { Applied } from './applied.js';
import { addBlock, moveBlock, removeBlock, replacingBlock } from './block-operations.js';
import type { PolicyDefinition } from './definition.js';
import { EditDraft, type EditContext } from './edit-draft.js';
import { addEntry, removeEntry, replaceList, setEntry, setText } from './entry-operations.js';
import { connect, disconnect } from './link-operations.js';
import { setOption, unsetOption } from './option-operations.js';
import { renameTag } from './tag-operations.js';

export interface Edited {
  readonly definition: PolicyDefinition;
  /** One per operation, in order. */
  readonly applied: readonly Applied[];
  /** Restores the definition as it was, byte for byte. */
  readonly inverse: readonly EditOperation[];
}

/**
 * In steps; the given definition is not changed. Throws `EDIT_INVALID` with the place of the first operation that cannot be
 * applied.
 */
export function* applyingEdits(
  definition: PolicyDefinition,
  operations: readonly EditOperation[],
  context: EditContext,
): Steps<Edited> {
  const draft = new EditDraft(definition, context);
  const applied: Applied[] = [];
  for (const [at, operation] of operations.entries()) {
    yield;
    draft.begin(at);
    applied.push(operation.op === 'replaceBlock' ? yield* replacingBlock(draft, operation) : apply(draft, operation));
  }
  return { definition: draft.definition, applied, inverse: applied.map(({ inverse }) => inverse).reverse() };
}

/** Operations that come from outside. Throws `EDIT_INVALID`, `POLICY_FILE_TOO_LARGE`. */
export function readOperations(value: unknown, { policyId, limits }: EditContext): readonly EditOperation[] {
  const invalid = (reason: string, details: BlockworkError['details']): BlockworkError =>
    new BlockworkError('EDIT_INVALID', { facts: { policyId, reason }, details });
  if (!Array.isArray(value))
    throw invalid('"operations" must be a list', [{ path: '/operations', message: 'must be a list' }]);
  let copy: unknown;
  try {
    copy = copyJson(value, limits);
  } catch (error) {
    if (!isBlockworkError(error, 'POLICY_FILE_INVALID')) throw error;
    throw invalid(
      String(error.facts['reason']),
      error.details.map(({ path, message }) => ({ path: `/operations${path}`, message })),
    );
  }
  const checked = editOperations.safeParse(copy);
  if (checked.success) return copy as EditOperation[];
  const details = toDetails(checked.error).map(({ path, message }) => ({ path: `/operations${path}`, message }));
  throw invalid(describeDetails(details, 'the edit'), details);
}

function apply(draft: EditDraft, operation: Exclude<EditOperation, { op: 'replaceBlock' }>): Applied {
  switch (operation.op) {
    case 'addBlock':
      return addBlock(draft, operation);
    case 'removeBlock':
      return removeBlock(draft, operation);
    case 'moveBlock':
      return moveBlock(draft, operation);
    case 'setOption':
      return setOption(draft, operation);
    case 'unsetOption':
      return unsetOption(draft, operation);
    case 'renameTag':
      return renameTag(draft, operation);
    case 'connect':
      return connect(draft, operation);
    case 'disconnect':
      return disconnect(draft, operation);
    case 'setText':
      return setText(draft, operation);
    case 'addEntry':
      return addEntry(draft, operation);
    case 'setEntry':
      return setEntry(draft, operation);
    case 'removeEntry':
      return removeEntry(draft, operation);
    case 'replaceList':
      return replaceList(draft, operation);
  }
}
