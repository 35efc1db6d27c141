/** Topics: documents from the topics of other policies. */
import type { BlockType } from '@blockwork/core/block';
import { externalTopicBlock } from './external-topic.js';

export { externalTopicBlock };

export const topicBlocks: readonly BlockType[] = [externalTopicBlock];
