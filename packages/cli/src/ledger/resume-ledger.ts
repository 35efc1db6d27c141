/** `blockwork ledger resume`: everything that waits is tried at once. */
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { serverClient } from '../line/server-client.js';
import { describeLedger } from './ledger-status.js';

export const run: CommandRun = async (input, io) => {
  const [url = ''] = input.args;
  const allowance = textOption(input, 'allow');
  const body = allowance === undefined ? {} : { allowance };
  const { data: state } = await serverClient(url, input, io).routes.resumeLedger({ body });
  await printResult(input, io, { value: state, text: () => describeLedger(state) });
  return exitCodes.ok;
};
