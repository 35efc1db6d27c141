/** `blockwork inspect`: what a server or its data folder holds, and what waits there. */
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { inspectFolder } from '../inspect/folder.js';
import { inspectServer } from '../inspect/server.js';
import { describeInspection } from '../inspect/summary.js';

export const run: CommandRun = async (input, io) => {
  const [target = io.env['BLOCKWORK_DATA'] ?? '.blockwork'] = input.args;
  const token = textOption(input, 'token') ?? io.env['BLOCKWORK_TOKEN'];
  const value = await (/^https?:\/\//.test(target) ? inspectServer(target, token) : inspectFolder(target));
  await printResult(input, io, { value, text: () => describeInspection(value) });
  return value.ready === false ? exitCodes.refused : exitCodes.ok;
};
