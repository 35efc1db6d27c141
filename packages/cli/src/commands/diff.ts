/** `blockwork diff`: the semantic differences between two policies. */
import { policyChanges } from '@blockwork/core/files';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { describeChanges } from '../diff/describe-changes.js';
import { openPolicyFile } from '../policies/open-policy.js';

export const run: CommandRun = async (input, io) => {
  const [before = '', after = ''] = input.args;
  const changes = policyChanges(await openPolicyFile(before), await openPolicyFile(after));
  await printResult(input, io, { value: changes, text: () => describeChanges(changes) });
  return changes.length === 0 ? exitCodes.ok : exitCodes.found;
};
