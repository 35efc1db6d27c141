/** Opens a policy for the commands that look at it: read, compiled, and never stored. */
import { standardBlocks } from '@blockwork/blocks';
import { readPolicy, type PolicyFile } from '@blockwork/core/files';
import { failureIn } from '../line/failure.js';
import { readPolicySource } from './read-source.js';

/** Throws `CommandError` with the file, where it holds no policy. Without `check`, for those that show no findings. */
export async function openPolicyFile(path: string, { check = false } = {}): Promise<PolicyFile> {
  const source = await readPolicySource(path);
  try {
    return await readPolicy(source, { blocks: standardBlocks(), check });
  } catch (error) {
    throw failureIn(path, error);
  }
}
