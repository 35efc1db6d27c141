/** References to a block within a policy: by uuid or by tag. */
import { BlockworkError } from '../errors.js';
import { isObject } from '../records/index.js';
import type { BlockNode } from '../policy/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';

/** Uuids change whenever an archive is imported; tags do not. */
export type BlockReference = { readonly uuid: string } | { readonly tag: string };

/** Throws `INPUT_INVALID` if the value is not a block reference. */
export function findBlock({ tree }: OpenPolicy, reference: BlockReference): BlockNode | undefined {
  assertBlockReference(reference);
  if ('tag' in reference) return tree.byTag.get(reference.tag);
  return tree.byUuid.get(reference.uuid) ?? tree.byUuid.get(reference.uuid.toLowerCase());
}

/** The block with the engine's internal tag, which is the uuid if the author gave none. */
export const blockTagged = ({ tree }: OpenPolicy, tag: string): BlockNode | undefined =>
  tree.byTag.get(tag) ?? tree.byUuid.get(tag);

/** Throws `BLOCK_UNKNOWN`. */
export function blockOf(policy: OpenPolicy, reference: BlockReference): BlockNode {
  const block = findBlock(policy, reference);
  if (block !== undefined) return block;
  throw new BlockworkError('BLOCK_UNKNOWN', { facts: { policyId: policy.id, block: describe(reference) } });
}

/** Throws `INPUT_INVALID` unless the value is a reference, since JavaScript callers are not type-checked. */
export function assertBlockReference(reference: unknown): asserts reference is BlockReference {
  if (isObject(reference) && typeof ('tag' in reference ? reference.tag : reference.uuid) === 'string') return;
  const reason = 'A block reference is { tag } or { uuid } with a string, such as { tag: "choose_role" }.';
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

export const describe = (reference: BlockReference): string =>
  'uuid' in reference ? `with the uuid ${reference.uuid}` : `with the tag "${reference.tag}"`;
