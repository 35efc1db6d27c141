/** `npm create blockwork`: makes a project in a new folder. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isProjectName, projectFiles } from './project-files.js';
import { defaultTemplate, isTemplate, templates } from './templates.js';

/** What a program prints, and the code that it ends with: 0, 1 for a folder that cannot be used, or 2 for wrong arguments. */
export interface Outcome {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

const usage = `npm create blockwork <folder> [-- --template <template>]

Templates:
${Object.entries(templates)
  .map(([name, { title }]) => `  ${name.padEnd(18)} ${title}${name === defaultTemplate ? ' (default)' : ''}`)
  .join('\n')}
`;

export async function createProject(argv: readonly string[]): Promise<Outcome> {
  const options = read(argv);
  if (options === undefined) return { code: 2, text: usage };
  const { folder, template } = options;
  const name = basename(resolve(folder));
  if (!isTemplate(template)) return { code: 2, text: `There is no template "${template}".\n\n${usage}` };
  if (!isProjectName(name)) {
    const text = `"${name}" is not a valid project name: use lower-case letters, digits, "-", "_" and ".".\n`;
    return { code: 2, text };
  }
  try {
    await mkdir(folder, { recursive: true });
    const [existing] = await readdir(folder);
    if (existing !== undefined) return { code: 1, text: `${folder} is not empty: it contains ${existing}.\n` };
    const files = await projectFiles(name, template);
    await writeProject(folder, files);
    const created = `Created ${[...files.keys()].join(', ')} in ${folder}.`;
    return { code: 0, text: `${created}\nNext: cd ${folder}, npm install, npm test.\n` };
  } catch (error) {
    const { code = 'unknown reason', path = folder } = error as NodeJS.ErrnoException;
    return { code: 1, text: `${path} cannot be written (${code}).\n` };
  }
}

/** Never over a file that is there. */
export async function writeProject(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
}

/** `undefined` for arguments that are none, and for `--help`. */
function read(argv: readonly string[]): { readonly folder: string; readonly template: string } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { template: { type: 'string', short: 't', default: defaultTemplate }, help: { type: 'boolean' } },
    });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0 || values.help === true) return undefined;
    return { folder, template: values.template };
  } catch {
    return undefined;
  }
}
