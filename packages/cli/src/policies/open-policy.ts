/** Opens a policy for the commands that look at it: read, compiled, and never stored. */
import { standardBlocks } from '@blockwork/blocks';
import { readPolicy, type PolicyFile } from '@blockwork/core';
import { readPolicySource } from './read-source.js';

export const openPolicyFile = async (path: string): Promise<PolicyFile> =>
  readPolicy(await readPolicySource(path), { blocks: standardBlocks() });
