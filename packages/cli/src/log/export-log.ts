/** `blockwork log export`: the log of a journal as files that any web server can serve. */
import { existsSync } from 'node:fs';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storyOf, verifyLog, type LogFiles } from '@blockwork/verify';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { makeFolder } from '../line/make-folder.js';
import { folderFiles, serverFiles, unreadable } from './log-files.js';
import { pathsOf } from './log-paths.js';
import { serverLog } from './server-log.js';

export const run: CommandRun = async (input, io) => {
  const [url = '', folder = ''] = input.args;
  await makeFolder(folder);
  const isContinued = existsSync(join(folder, 'checkpoint'));
  if (!isContinued && (await readdir(folder)).length > 0) {
    throw new CommandError(exitCodes.usage, `${folder} is neither empty nor a log.`, 'FOLDER_NOT_EMPTY');
  }
  const log = serverLog(url, input, io);
  const files = onceRead(await serverFiles(log, input.options['hashesOnly'] !== true));
  if (isContinued) {
    // What is known is not overwritten by a log that is another one.
    const report = await verifyLog(files, { earlier: folderFiles(folder) });
    if (!report.ok) {
      await printResult(input, io, { value: report, text: () => storyOf(report) });
      return exitCodes.found;
    }
  }
  const { size, paths } = await pathsOf(files);
  let written = 0;
  for (const path of paths) {
    const isFull = path.startsWith('tile/') && !path.includes('.p/');
    if (isFull && existsSync(join(folder, path))) continue;
    const content = await files.read(path);
    if (content === undefined && path.startsWith('journal/')) continue;
    if (content === undefined) throw unreadable(`The server has no ${path}.`);
    await write(join(folder, path), content);
    written += 1;
  }
  await printResult(input, io, {
    value: { folder, size, files: written },
    text: () => `Wrote ${String(written)} files of a log with ${String(size)} entries to ${folder}.\n`,
  });
  return exitCodes.ok;
};

/** Readers of the folder see either the old content or the new one. */
async function write(file: string, content: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  const draft = `${file}.new`;
  await writeFile(draft, content);
  await rename(draft, file);
}

/** Verified and then written without being read twice. */
function onceRead(files: LogFiles): LogFiles {
  const read = new Map<string, Promise<Uint8Array | undefined>>();
  return {
    read(path) {
      const content = read.get(path) ?? files.read(path);
      read.set(path, content);
      return content;
    },
  };
}
