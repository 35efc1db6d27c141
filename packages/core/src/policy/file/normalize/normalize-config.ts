/** Normalizes the block tree of a policy, so that the rest of the engine can rely on its shape. */
import type { Ids } from '../../../ports/index.js';
import type { Steps } from '../../../loop-share.js';
import { closestTo } from '../../../options/index.js';
import { isObject, type BlockSource } from '../../../records/index.js';
import { suggestedName } from '../../model/block-finding.js';
import type { Finding } from '../../model/policy-model.js';
import { toList, type Report } from './coerce.js';
import type { PolicyFileLimits } from '../limits/limits.js';
import { normalizeBlock } from './normalize-block.js';
import { pathOf } from '../../model/tree-walk.js';
import { quote } from '../../model/quote.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';

interface PendingBlock {
  readonly raw: unknown;
  readonly parent: PendingBlock | null;
  readonly index: number;
  readonly level: number;
  /** Receives the normalized block. */
  readonly siblings: BlockSource[];
}

/**
 * Block by block: missing members and members of the wrong type are completed; values that had to be dropped are findings. Takes ownership
 * of `raw`, which must be JSON.
 * @throws POLICY_FILE_INVALID, with the JSON pointer, for values that are not blocks and blocks without
 * `blockType`; POLICY_FILE_TOO_LARGE for too many blocks or levels.
 */
export function* normalizing(
  raw: unknown,
  ids: Ids,
  limits: Pick<PolicyFileLimits, 'blocks' | 'depth'>,
  findings: Finding[],
): Steps<BlockSource> {
  const usedIds = new Set<string>();
  const top: BlockSource[] = [];
  let count = 0;
  const stack: PendingBlock[] = [{ raw, parent: null, index: 0, level: 1, siblings: top }];
  for (let pending = stack.pop(); pending !== undefined; pending = stack.pop()) {
    const written = blockAt(pending);
    if (++count > limits.blocks) throw fileTooLarge(`it has more blocks than the limit of ${limits.blocks}`);
    if (pending.level > limits.depth) {
      throw fileTooLarge(`its blocks nest deeper than the limit of ${limits.depth} levels`, pointerTo(pending));
    }
    const block = normalizeAt(pending, written, ids, usedIds, findings);
    pending.siblings.push(block);
    yield;
    const children = childrenAt(pending, written);
    for (let index = children.length - 1; index >= 0; index--) {
      stack.push({ raw: children[index], parent: pending, index, level: pending.level + 1, siblings: block.children });
    }
  }
  const [root] = top;
  if (root === undefined) throw fileInvalid('it has no blocks', '/config');
  return root;
}

const pointerTo = (pending: PendingBlock): string => `/config${pathOf(pending)}`;

function blockAt(pending: PendingBlock): Record<string, unknown> {
  const { raw } = pending;
  if (!isObject(raw))
    throw fileInvalid(
      `there is ${quote(raw)} instead of a block at ${pointerTo(pending)}: a block is an object with a blockType`,
      pointerTo(pending),
    );
  return raw;
}

function childrenAt(pending: PendingBlock, written: Record<string, unknown>): unknown[] {
  const children = written['children'];
  return toList(children, '/children', () => {
    const pointer = `${pointerTo(pending)}/children`;
    throw fileInvalid(`there is ${quote(children)} instead of a list of blocks at ${pointer}`, pointer);
  });
}

function normalizeAt(
  pending: PendingBlock,
  written: Record<string, unknown>,
  ids: Ids,
  usedIds: Set<string>,
  findings: Finding[],
): BlockSource {
  const blockType = written['blockType'];
  if (typeof blockType !== 'string' || blockType === '') {
    const { tag } = written;
    const named = typeof tag === 'string' && tag !== '' ? ` (${quote(tag)})` : '';
    const keys = Object.keys(written).filter((key) => key !== 'blockType');
    const misspelt = keys.find((key) => closestTo(key, ['blockType'], 2) !== undefined);
    const advice =
      misspelt === undefined
        ? 'Name one, such as "interfaceContainerBlock"'
        : `Rename ${quote(misspelt)} to "blockType"`;
    throw fileInvalid(`the block at ${pointerTo(pending)}${named} has no blockType. ${advice}`, pointerTo(pending));
  }
  const reports: Parameters<Report>[] = [];
  const report: Report = (...each) => reports.push(each);
  const block = normalizeBlock(written, blockType, report, () => ids.uuid());
  if (usedIds.has(block.id)) {
    report('/id', `is ${quote(block.id)}, the id of an earlier block; the block got a new one`);
    block.id = ids.uuid();
  }
  usedIds.add(block.id);
  for (const [member, message, name] of reports) {
    const path = pathOf(pending) + member;
    const named = block.tag === '' ? {} : { tag: block.tag };
    findings.push({
      severity: 'warning',
      code: 'RECORD_FIELD_INVALID',
      message: `${path} ${message}.`,
      path,
      block: block.id,
      ...named,
      ...(name !== undefined && { suggestions: [suggestedName(path, name)] }),
    });
  }
  return block;
}
