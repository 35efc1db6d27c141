/** `blockwork inspect`: the contents and pending work of a server or its data folder. */
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { describeInspection, type Inspection } from '../inspect/summary.js';

export const run: CommandRun = async (input, io) => {
  const [target = io.env['BLOCKWORK_DATA'] ?? '.blockwork'] = input.args;
  const token = textOption(input, 'token') ?? io.env['BLOCKWORK_TOKEN'];
  const value = await (/^https?:\/\//.test(target) ? ofServer(target, token) : ofFolder(target));
  await printResult(input, io, { value, text: () => describeInspection(value) });
  return value.ready === false ? exitCodes.refused : exitCodes.ok;
};

/** The client and the store are loaded lazily. */
const ofServer = async (url: string, token: string | undefined): Promise<Inspection> =>
  (await import('../inspect/server.js')).inspectServer(url, token);

const ofFolder = async (folder: string): Promise<Inspection> =>
  (await import('../inspect/folder.js')).inspectFolder(folder);
