/** `blockwork client`: the code of a typed client for one policy. */
import type { CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { clientCode } from '../client-code/client-code.js';
import { openPolicyFile } from '../policies/open-policy.js';

export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const code = clientCode(await openPolicyFile(path));
  await io.write(input.json ? `${JSON.stringify({ code }, null, 2)}\n` : code);
  return exitCodes.ok;
};
