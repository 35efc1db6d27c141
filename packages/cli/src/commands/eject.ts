/** `blockwork eject`: a policy as TypeScript code. */
import { standardBlocks } from '@blockwork/blocks';
import { readPolicy, writtenAsJson } from '@blockwork/core/files';
import { policyCode } from '../code/policy-code.js';
import type { CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { failureIn } from '../line/failure.js';
import { readPolicySource } from '../policies/read-source.js';

export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const source = await readPolicySource(path);
  const code = await codeOf(source).catch((error: unknown) => {
    throw failureIn(path, error);
  });
  await io.write(input.json ? `${JSON.stringify({ code }, null, 2)}\n` : code);
  return exitCodes.ok;
};

async function codeOf(source: unknown): Promise<string> {
  const { findings } = await readPolicy(source, { blocks: standardBlocks() });
  const fits = findings.every(({ severity }) => severity === 'information');
  return policyCode(writtenAsJson(source), fits);
}
