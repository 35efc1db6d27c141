/** `blockwork verify log`: whether the log of a journal is whole, and continues what is known of it. */
import { stat } from 'node:fs/promises';
import { storyOf, verifyLog } from '@blockwork/verify';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { earlierFiles, folderFiles, serverFiles } from './log-files.js';
import { isAddress, serverLog } from './server-log.js';

export const run: CommandRun = async (input, io) => {
  const [place = ''] = input.args;
  if (!isAddress(place)) await stat(place);
  const files = isAddress(place) ? await serverFiles(serverLog(place, input, io), true) : folderFiles(place);
  const [key, since] = [textOption(input, 'key'), textOption(input, 'since')];
  const report = await verifyLog(files, {
    ...(key !== undefined && { key }),
    ...(since !== undefined && { earlier: await earlierFiles(since) }),
  });
  await printResult(input, io, { value: report, text: () => storyOf(report) });
  return report.ok ? exitCodes.ok : exitCodes.found;
};
