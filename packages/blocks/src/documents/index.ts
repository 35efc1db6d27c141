/** What happens to documents once they are made: stored, published, signed anew, tied to others, revoked. */
import type { AnyBlockType } from '@blockwork/core/block';
import { Reassigning } from './reassigning.js';
import { Revoke } from './revoke.js';
import { SendToGuardian } from './send-to-guardian.js';
import { SetRelationships } from './set-relationships.js';

export { Reassigning, Revoke, SendToGuardian, SetRelationships };

export const documentBlocks: readonly AnyBlockType[] = [SendToGuardian, Reassigning, SetRelationships, Revoke];
