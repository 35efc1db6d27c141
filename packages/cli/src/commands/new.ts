/** `blockwork new`: a project with a policy, its test and a README. */
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { makeFolder } from '../line/make-folder.js';
import { packageVersion } from '../line/version.js';
import { templateManifest, templateReadme } from '../template/pages.js';
import { templatePolicy } from '../template/policy.js';
import { templateScenario } from '../template/scenario.js';

export const run: CommandRun = async (input, io) => {
  const [folder = ''] = input.args;
  const name = folder === '' ? '' : basename(resolve(folder));
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) {
    const message = `"${name}" is not a valid project name: use lower-case letters, digits, "-", "_" and ".".`;
    throw new CommandError(exitCodes.usage, message, 'NAME_INVALID');
  }
  const files = new Map([
    [`${name}.policy.json`, json(templatePolicy(name))],
    [`${name}.scenario.json`, json(templateScenario)],
    ['README.md', templateReadme(name)],
    ['package.json', templateManifest(name, packageVersion())],
    ['.gitignore', 'node_modules/\n.blockwork/\n'],
  ]);
  await makeFolder(folder);
  const [existing] = await readdir(folder);
  if (existing !== undefined) {
    throw new CommandError(exitCodes.unreadable, `${folder} is not empty: it contains ${existing}.`, 'ENOTEMPTY');
  }
  for (const [file, text] of files) await writeFile(join(folder, file), text, { flag: 'wx' });
  const text = (): string =>
    `Created ${[...files.keys()].join(', ')} in ${folder}.\nNext: cd ${folder}, npm install, npm test.\n`;
  await printResult(input, io, { value: { folder, name, files: [...files.keys()] }, text });
  return exitCodes.ok;
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
