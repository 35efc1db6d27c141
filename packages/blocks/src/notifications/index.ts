/** Notifications from a policy to its users. */
import type { BlockType } from '@blockwork/core/block';
import { notificationBlock } from './notification-block.js';

export { notificationBlock };

export const notificationBlocks: readonly BlockType[] = [notificationBlock];
