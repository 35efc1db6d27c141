/** Opens a policy for inspection: read and compiled, never stored. */
import { standardBlocks } from '@blockwork/blocks';
import { readPolicy, type PolicyFile } from '@blockwork/core/files';
import { failureIn } from '../line/failure.js';
import { readPolicySource } from './read-source.js';

/** Throws a `CommandError` that names the file if it holds no policy. Without `check`, findings are skipped. */
export async function openPolicyFile(path: string, { check = false } = {}): Promise<PolicyFile> {
  const source = await readPolicySource(path);
  try {
    return await readPolicy(source, { blocks: standardBlocks(), check });
  } catch (error) {
    throw failureIn(path, error);
  }
}
