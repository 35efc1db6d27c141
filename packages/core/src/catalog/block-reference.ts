/** How callers name a block: by its uuid or by its tag, always within one policy. */
import { BlockworkError } from '../errors.js';
import { isObject } from '../records/index.js';
import type { BlockNode } from '../policy/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';

/** Uuids change with each import of an archive; tags do not. */
export type BlockReference = { readonly uuid: string } | { readonly tag: string };

/** Throws `INPUT_INVALID` for what names no block. */
export function findBlock({ tree }: OpenPolicy, reference: BlockReference): BlockNode | undefined {
  assertBlockReference(reference);
  if ('tag' in reference) return tree.byTag.get(reference.tag);
  return tree.byUuid.get(reference.uuid) ?? tree.byUuid.get(reference.uuid.toLowerCase());
}

/** The block that the engine itself calls by this tag: where the author gave none, the uuid stands in. */
export const blockTagged = ({ tree }: OpenPolicy, tag: string): BlockNode | undefined =>
  tree.byTag.get(tag) ?? tree.byUuid.get(tag);

/** Throws `BLOCK_UNKNOWN`. */
export function blockOf(policy: OpenPolicy, reference: BlockReference): BlockNode {
  const block = findBlock(policy, reference);
  if (block !== undefined) return block;
  throw new BlockworkError('BLOCK_UNKNOWN', { facts: { policyId: policy.id, block: describe(reference) } });
}

/** Programs in JavaScript may give anything. Throws `INPUT_INVALID` unless it is a reference. */
export function assertBlockReference(reference: unknown): asserts reference is BlockReference {
  if (isObject(reference) && typeof ('tag' in reference ? reference.tag : reference.uuid) === 'string') return;
  const reason = 'A block is named by { tag } or { uuid }, each a text, such as { tag: "choose_role" }.';
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

export const describe = (reference: BlockReference): string =>
  'uuid' in reference ? `with the uuid ${reference.uuid}` : `with the tag "${reference.tag}"`;
