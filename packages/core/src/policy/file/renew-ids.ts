/** Gives every block of a bundle a new id, so that the same file can be imported twice. */
import type { Ids } from '../../ports/index.js';
import type { BlockSource } from '../../records/index.js';
import { walkTree } from '../model/tree-walk.js';
import type { PolicyBundle } from './policy-bundle.js';

/**
 * Tags are kept, and so are the ids of schemas, tokens and artifacts: the reference renews these too, because all its
 * policies share them, but here each policy has its own.
 * @returns a bundle with new blocks and findings; `bundle` is not changed.
 */
export function renewBlockIds(bundle: PolicyBundle, ids: Ids): PolicyBundle {
  const renewed = new Map<BlockSource, BlockSource>();
  const newIds = new Map<string, string>();
  let config: BlockSource | undefined;
  for (const { block, parent } of walkTree(bundle.config)) {
    const copy = { ...block, id: ids.uuid(), children: [] };
    renewed.set(block, copy);
    newIds.set(block.id, copy.id);
    if (parent === null) config = copy;
    else renewed.get(parent.block)?.children.push(copy);
  }
  const findings = bundle.findings.map((finding) =>
    finding.block === undefined ? finding : { ...finding, block: newIds.get(finding.block) ?? finding.block },
  );
  return { ...bundle, config: config ?? bundle.config, findings };
}
