/** Parts of the policy that a block's options refer to, as declared by its type. */
import type { BlockworkError } from '../../errors.js';
import { didYouMean, invalidOption } from '../../options/index.js';
import type { BlockNode } from '../model/policy-model.js';
import { referenceTargets, type Reference } from '../model/reference.js';
import { callDefinition } from './definition-guard.js';

/**
 * Empty if the type is unknown, declares none, or cannot read the options.
 * @throws OPTION_INVALID for a target that does not exist; INTERNAL if the block type's code throws.
 */
export function declaredReferences(block: BlockNode): readonly Reference[] {
  const { definition, options } = block;
  if (definition?.references === undefined || options === null) return [];
  const references = callDefinition(block, 'references', () => definition.references?.(options) ?? []);
  for (const { to } of references) if (!referenceTargets.includes(to)) throw unknownTarget(definition.type, to);
  return references;
}

function unknownTarget(blockType: string, to: string): BlockworkError {
  const hint = didYouMean(to, referenceTargets);
  return invalidOption(
    `references of the block type "${blockType}" in blocks`,
    `it refers to a "${to}", which is none of ${referenceTargets.join(', ')}${hint}`,
  );
}
