/** Findings about one block of a compiled policy. */
import type { Finding, FindingCode } from './finding.js';
import type { BlockNode } from './policy-tree.js';

/** @param member JSON pointer from the block to the member at fault. */
export const blockFinding = (
  severity: Finding['severity'],
  code: FindingCode,
  block: BlockNode,
  message: string,
  member = '',
): Finding => ({
  severity,
  code,
  message,
  path: block.path + member,
  block: block.uuid,
  ...(block.named ? { tag: block.tag } : {}),
});
