/** Gives every block of a bundle a new id, so that one file can be imported twice. */
import type { Ids } from '../../ports/index.js';
import type { BlockSource } from '../../records/index.js';
import { placesOf } from '../model/tree-walk.js';
import type { PolicyBundle } from './policy-bundle.js';

/**
 * Tags stay, and so do the ids of schemas, tokens and files. The reference renews those as well, since they are shared
 * between all policies there; here each policy has its own.
 * @returns a bundle of its own as far as blocks and findings go; `bundle` is left as it is.
 */
export function renewBlockIds(bundle: PolicyBundle, ids: Ids): PolicyBundle {
  const renewed = new Map<BlockSource, BlockSource>();
  const newIds = new Map<string, string>();
  let config: BlockSource | undefined;
  for (const { block, parent } of placesOf(bundle.config)) {
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
