/** Operations on whole blocks: add, remove, move, replace. */
import { atOnce, type Steps } from '../../loop-share.js';
import { normalizing, walkTree, type Finding } from '../../policy/index.js';
import { isBlockworkError } from '../../errors.js';
import { cloneJson, type BlockSource } from '../../records/index.js';
import type { Applied, OperationOf } from './applied.js';
import type { EditDraft } from './edit-draft.js';
import { blockPlace, positionPlace, subtreePlaces } from './places.js';

export function addBlock(
  draft: EditDraft,
  { op, parent: reference, index, block: written }: OperationOf<'addBlock'>,
): Applied {
  const { block: parent } = draft.block(reference, '/parent');
  const block = atOnce(completing(draft, written, '/block'));
  assertUnused(draft, block, new Set(), '/block');
  const at = positionIn(draft, parent.children, index);
  parent.children.splice(at, 0, block);
  assertSize(draft, '/block');
  return {
    operation: { op, parent: parent.id, index: at, block: cloneJson(block) },
    inverse: { op: 'removeBlock', block: block.id },
    writes: subtreePlaces(block),
    reads: [blockPlace(parent.id)],
  };
}

export function removeBlock(draft: EditDraft, { op, block: reference }: OperationOf<'removeBlock'>): Applied {
  const { block, parent, index } = draft.block(reference);
  if (parent === null) return draft.refuse('/block', 'the root block cannot be removed');
  parent.children.splice(index, 1);
  return {
    operation: { op, block: block.id },
    inverse: { op: 'addBlock', parent: parent.id, index, block },
    writes: subtreePlaces(block),
    reads: [],
  };
}

export function moveBlock(
  draft: EditDraft,
  { op, block: reference, parent: under, index }: OperationOf<'moveBlock'>,
): Applied {
  const { block, parent: before, index: from } = draft.block(reference);
  if (before === null) return draft.refuse('/block', 'the root block cannot be moved');
  const { block: parent } = draft.block(under, '/parent');
  if (walkTree(block).some((each) => each.block === parent)) {
    return draft.refuse('/parent', `"${under}" is within the block that is moved`);
  }
  before.children.splice(from, 1);
  const at = positionIn(draft, parent.children, index);
  parent.children.splice(at, 0, block);
  assertSize(draft, '/parent');
  return {
    operation: { op, block: block.id, parent: parent.id, index: at },
    inverse: { op, block: block.id, parent: before.id, index: from },
    writes: [positionPlace(block.id)],
    reads: [blockPlace(parent.id)],
  };
}

/** In steps: the block may be the whole policy. */
export function* replacingBlock(
  draft: EditDraft,
  { op, block: reference, value }: OperationOf<'replaceBlock'>,
): Steps<Applied> {
  const { block: before, parent, index } = draft.block(reference);
  yield;
  const block = yield* completing(draft, 'id' in value ? value : { ...value, id: before.id }, '/value');
  assertUnused(draft, block, new Set(walkTree(before).map((each) => each.block.id)), '/value');
  if (parent === null) draft.replace('config', block);
  else parent.children.splice(index, 1, block);
  yield;
  assertSize(draft, '/value');
  const writes =
    parent === null ? ['/blocks', '/tags'] : [...new Set([...subtreePlaces(before), ...subtreePlaces(block)])];
  yield;
  const operation = { op, block: before.id, value: cloneJson(block) };
  yield;
  return { operation, inverse: { op, block: block.id, value: cloneJson(before) }, writes, reads: [] };
}

/** The block with all common members, as readers complete it. */
function* completing(draft: EditDraft, written: unknown, member: string): Steps<BlockSource> {
  const { ids, limits } = draft.context;
  const findings: Finding[] = [];
  let block: BlockSource;
  try {
    block = yield* normalizing(cloneJson(written), ids, limits, findings);
  } catch (error) {
    if (!isBlockworkError(error, 'POLICY_FILE_INVALID')) throw error;
    return draft.refuse(member, String(error.facts['reason']));
  }
  const [first] = findings;
  return first === undefined ? block : draft.refuse(member, first.message);
}

/** Ids are unique in a policy. `leaving`: those that are replaced. */
function assertUnused(draft: EditDraft, added: BlockSource, leaving: ReadonlySet<string>, member: string): void {
  const ids = new Set(walkTree(draft.definition.config).map(({ block }) => block.id));
  for (const { block } of walkTree(added)) {
    if (ids.has(block.id) && !leaving.has(block.id)) draft.refuse(member, `another block has the id ${block.id}`);
  }
}

function positionIn(draft: EditDraft, siblings: readonly BlockSource[], index = siblings.length): number {
  if (index > siblings.length) draft.refuse('/index', `the parent has only ${String(siblings.length)} other children`);
  return index;
}

function assertSize(draft: EditDraft, member: string): void {
  const { blocks, depth } = draft.context.limits;
  const positions = walkTree(draft.definition.config);
  if (positions.length > blocks) draft.refuse(member, `a policy has at most ${String(blocks)} blocks`);
  const levels = new Map<BlockSource, number>();
  for (const { block, parent } of positions) {
    const level = (parent === null ? 0 : (levels.get(parent.block) ?? 0)) + 1;
    if (level > depth) draft.refuse(member, `blocks nest at most ${String(depth)} levels deep`);
    levels.set(block, level);
  }
}
