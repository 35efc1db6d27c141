/** Document blocks: store, publish, reissue, relate, revoke. */
import type { BlockType } from '@blockwork/core/block';
import { reassigningBlock } from './reassigning.js';
import { revokeBlock } from './revoke.js';
import { sendToGuardianBlock } from './send-to-guardian.js';
import { setRelationshipsBlock } from './set-relationships.js';

export { reassigningBlock, revokeBlock, sendToGuardianBlock, setRelationshipsBlock };

export const documentBlocks: readonly BlockType[] = [
  sendToGuardianBlock,
  reassigningBlock,
  setRelationshipsBlock,
  revokeBlock,
];
