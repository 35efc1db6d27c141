/** Findings about one block of a policy. */
import { shownOf } from './hidden-texts.js';
import type { BlockNode, Finding, FindingCode } from './policy-model.js';

export interface FindingFacts {
  readonly message: string;
  /** JSON pointer to the member at fault, relative to the block, such as `/filters/0/type`. Default: the whole block. */
  readonly path?: string;
  /** Default: `OPTIONS_INVALID`. */
  readonly code?: FindingCode;
  /** Default: `error`, the block cannot work as written. */
  readonly severity?: Finding['severity'];
}

/** Creates a finding with the block's id, tag and path. Its message never quotes sensitive options. */
export const finding = (
  block: BlockNode,
  { message, path = '', code = 'OPTIONS_INVALID', severity = 'error' }: FindingFacts,
): Finding => ({
  severity,
  code,
  message: shownOf(block, message),
  path: block.path + path,
  block: block.uuid,
  ...(block.named ? { tag: block.tag } : {}),
});
