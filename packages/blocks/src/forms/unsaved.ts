/** Finds forms whose documents go to no block that keeps them. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';

/** Blocks that change a document, or choose its way, and pass it on. */
const passing = new Set([
  'switchBlock',
  'customLogicBlock',
  'calculateContainerBlock',
  'mathBlock',
  'reassigningBlock',
  'setRelationshipsBlock',
  'documentValidatorBlock',
  'notificationBlock',
]);

/** A policy may have thousands of forms, each with thousands of blocks behind it. */
const MOST_LINKS = 2_000;

export function unsavedFindings(form: BlockNode): Finding[] {
  const seen = new Set([form]);
  const open = [form];
  let links = 0;
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    for (const { target, input } of [...block.links.values()].flat()) {
      if (++links > MOST_LINKS) return [];
      if (input === 'RefreshEvent' || seen.has(target)) continue;
      const { definition, blockType } = target;
      // Interfaces keep nothing of a run; blocks of other types may do anything.
      if (!passing.has(blockType) && definition?.kind !== 'interface' && definition?.kind !== 'container') return [];
      seen.add(target);
      open.push(target);
    }
  }
  const message = `No block keeps the documents of the form "${form.tag}": nothing behind it stores or publishes them. Put a sendToGuardianBlock behind it.`;
  return [finding(form, { severity: 'warning', code: 'DOCUMENT_UNSAVED', message })];
}
