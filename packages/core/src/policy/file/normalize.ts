/** The block tree of a policy as it was written, turned into one that the rest of the engine can rely on. */
import type { Ids } from '../../ports/index.js';
import { isObject, type BlockSource } from '../../records/index.js';
import type { Finding } from '../model/finding.js';
import { items, type Complain } from './coerce.js';
import type { PolicyFileLimits } from './limits.js';
import { normalizeBlock } from './normalize-block.js';
import { pathOf } from '../model/tree-walk.js';
import { quote } from '../model/quote.js';
import { fileInvalid, fileTooLarge } from './refusal.js';

interface Spot {
  readonly raw: unknown;
  readonly parent: Spot | null;
  readonly index: number;
  readonly level: number;
  /** Where the finished block goes. */
  readonly siblings: BlockSource[];
}

/**
 * What is missing or of the wrong type in a block is completed, with a finding where something was written that cannot be
 * used. `raw` must be JSON; its values become part of the result.
 * @throws POLICY_FILE_INVALID, with the JSON pointer from the top of the policy, for what is no tree of blocks: something else
 * in a block's place, no `blockType`, a tag used twice. POLICY_FILE_TOO_LARGE for too many blocks or levels.
 */
export function normalizeConfig(
  raw: unknown,
  ids: Ids,
  limits: Pick<PolicyFileLimits, 'blocks' | 'depth'>,
  findings: Finding[],
): BlockSource {
  const tags = new Map<string, Spot>();
  const taken = new Set<string>();
  const top: BlockSource[] = [];
  let count = 0;
  const waiting: Spot[] = [{ raw, parent: null, index: 0, level: 1, siblings: top }];
  for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
    const written = blockAt(spot);
    if (++count > limits.blocks) throw fileTooLarge(`it has more blocks than the limit of ${limits.blocks}`);
    if (spot.level > limits.depth) {
      throw fileTooLarge(`its blocks nest deeper than the limit of ${limits.depth} levels`, where(spot));
    }
    const block = finish(spot, written, ids, taken, findings);
    claimTag(block.tag, spot, tags);
    spot.siblings.push(block);
    const children = childrenAt(spot, written);
    for (let index = children.length - 1; index >= 0; index--) {
      waiting.push({ raw: children[index], parent: spot, index, level: spot.level + 1, siblings: block.children });
    }
  }
  const [root] = top;
  if (root === undefined) throw fileInvalid('it has no blocks', '/config');
  return root;
}

const where = (spot: Spot): string => `/config${pathOf(spot)}`;

function blockAt(spot: Spot): Record<string, unknown> {
  const { raw } = spot;
  if (!isObject(raw)) throw fileInvalid(`there is ${quote(raw)} instead of a block at ${where(spot)}`, where(spot));
  return raw;
}

function childrenAt(spot: Spot, written: Record<string, unknown>): unknown[] {
  const children = written['children'];
  return items(children, '/children', () => {
    const pointer = `${where(spot)}/children`;
    throw fileInvalid(`there is ${quote(children)} instead of a list of blocks at ${pointer}`, pointer);
  });
}

function finish(
  spot: Spot,
  written: Record<string, unknown>,
  ids: Ids,
  taken: Set<string>,
  findings: Finding[],
): BlockSource {
  const blockType = written['blockType'];
  if (typeof blockType !== 'string' || blockType === '') {
    throw fileInvalid(`the block at ${where(spot)} has no blockType`, `${where(spot)}/blockType`);
  }
  const complaints: [member: string, message: string][] = [];
  const complain: Complain = (member, message) => complaints.push([member, message]);
  const block = normalizeBlock(written, blockType, complain, () => ids.uuid());
  if (taken.has(block.id)) {
    complain('/id', `is ${quote(block.id)}, the id of an earlier block; the block got a new one`);
    block.id = ids.uuid();
  }
  taken.add(block.id);
  for (const [member, message] of complaints) {
    const path = pathOf(spot) + member;
    const named = block.tag === '' ? {} : { tag: block.tag };
    findings.push({
      severity: 'warning',
      code: 'RECORD_FIELD_INVALID',
      message: `${path} ${message}.`,
      path,
      block: block.id,
      ...named,
    });
  }
  return block;
}

function claimTag(tag: string, spot: Spot, tags: Map<string, Spot>): void {
  if (tag === '') return;
  const earlier = tags.get(tag);
  if (earlier !== undefined) {
    throw fileInvalid(
      `the tag "${tag}" is used twice, by the blocks at ${where(earlier)} and ${where(spot)}`,
      `${where(spot)}/tag`,
    );
  }
  tags.set(tag, spot);
}
