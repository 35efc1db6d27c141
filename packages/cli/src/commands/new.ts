/** `blockwork new`: a project with a policy, its test, a README and a Dockerfile. */
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { defaultTemplate, isProjectName, isTemplate, projectFiles, writeProject } from 'create-blockwork';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { makeFolder } from '../line/make-folder.js';

export const run: CommandRun = async (input, io) => {
  const [folder = ''] = input.args;
  const name = folder === '' ? '' : basename(resolve(folder));
  if (!isProjectName(name)) {
    const message = `"${name}" is not a valid project name: use lower-case letters, digits, "-", "_" and ".".`;
    throw new CommandError(exitCodes.usage, message, 'NAME_INVALID');
  }
  const template = textOption(input, 'template') ?? defaultTemplate;
  if (!isTemplate(template)) {
    throw new CommandError(exitCodes.usage, `There is no template "${template}".`, 'TEMPLATE_UNKNOWN');
  }
  const files = await projectFiles(name, template);
  await makeFolder(folder);
  const [existing] = await readdir(folder);
  if (existing !== undefined) {
    throw new CommandError(exitCodes.unreadable, `${folder} is not empty: it contains ${existing}.`, 'ENOTEMPTY');
  }
  await writeProject(folder, files);
  const names = [...files.keys()];
  const text = (): string => `Created ${names.join(', ')} in ${folder}.\nNext: cd ${folder}, npm install, npm test.\n`;
  await printResult(input, io, { value: { folder, name, files: names }, text });
  return exitCodes.ok;
};
