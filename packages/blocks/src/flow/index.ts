/** Flow: which way a run goes on. */
import type { BlockType } from '@blockwork/core/block';
import { Switch } from './switch.js';

export { Switch };

export const flowBlocks: readonly BlockType[] = [Switch];
