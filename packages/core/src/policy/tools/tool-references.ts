/** References to tools in the blocks of a policy or of a tool. */
import type { BlockSource, ToolReference } from '../../records/index.js';
import { walkTree } from '../model/tree-walk.js';

export const isTool = ({ blockType }: BlockSource): boolean => blockType === 'tool';

export const referenceOf = ({ messageId, hash }: BlockSource): ToolReference => ({
  messageId: typeof messageId === 'string' ? messageId : '',
  hash: typeof hash === 'string' ? hash : '',
});

/** In tree order, excluding the root. */
export const toolReferences = (config: BlockSource): ToolReference[] =>
  walkTree(config)
    .slice(1)
    .flatMap(({ block }) => (isTool(block) ? referenceOf(block) : []));
