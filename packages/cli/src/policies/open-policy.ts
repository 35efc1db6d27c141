/** Opens a policy for inspection: read and compiled, never stored. */
import { standardBlocks } from '@blockwork/blocks';
import { located, readPolicy, type PolicyFile } from '@blockwork/core/files';
import { failureIn } from '../line/failure.js';
import { readSourceWithText } from './read-source.js';

/** Throws a `CommandError` that names the file if it holds no policy. Without `check`, findings are skipped. */
export async function openPolicyFile(path: string, { check = false } = {}): Promise<PolicyFile> {
  const { source, text } = await readSourceWithText(path);
  try {
    const policy = await readPolicy(source, { blocks: standardBlocks(), check });
    return { ...policy, findings: located(policy.findings, text) };
  } catch (error) {
    throw failureIn(path, error);
  }
}
