/** Findings about one block of a policy. */
import type { Finding, FindingCode } from './finding.js';
import type { BlockNode } from './policy-model.js';

export interface FindingFacts {
  readonly message: string;
  /** JSON pointer from the block to the member at fault, such as `/filters/0/type`; the block as a whole when absent. */
  readonly path?: string;
  /** `OPTIONS_INVALID` when absent. */
  readonly code?: FindingCode;
  /** `error` when absent: the block cannot work as written. */
  readonly severity?: Finding['severity'];
}

/** A finding that names the block and its place in the policy. */
export const finding = (
  block: BlockNode,
  { message, path = '', code = 'OPTIONS_INVALID', severity = 'error' }: FindingFacts,
): Finding => ({
  severity,
  code,
  message,
  path: block.path + path,
  block: block.uuid,
  ...(block.named ? { tag: block.tag } : {}),
});
