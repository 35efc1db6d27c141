/** The files of a new project: those of its template, with its name filled in. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templates, type TemplateName } from './templates.js';

const below = fileURLToPath(new URL('../templates/', import.meta.url));

/** Whether npm takes it as the name of a package, and every system as that of a folder. */
export const isProjectName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,99}$/.test(name);

/** The text of each file by its path, in the order of the paths. `name`: see `isProjectName`. */
export async function projectFiles(name: string, template: TemplateName): Promise<ReadonlyMap<string, string>> {
  const { folders, title } = templates[template];
  const raw = new Map<string, string>();
  for (const folder of folders) {
    for (const [path, text] of await filesBelow(join(below, folder))) raw.set(path, text);
  }
  const values = { name, title, version: await ownVersion(), command: commandOf(name, raw.get('package.json') ?? '') };
  const filled = [...raw].map(([path, text]) => [fill(path, values), fill(text, values)] as const);
  return new Map(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Paths with `/`, whatever the system. npm leaves out files that begin with a point, so they are kept with `_`. */
async function filesBelow(folder: string): Promise<(readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => {
      const path = relative(folder, file).replaceAll('\\', '/').replace(/^_/, '.');
      return [path, await readFile(file, 'utf8')] as const;
    }),
  );
}

/** What `npm start` runs, for a container without npm and without a shell. */
function commandOf(name: string, manifest: string): string {
  const [, start = ''] = /"start": "([^"]*)"/.exec(manifest) ?? [];
  const [program, ...args] = start.replaceAll('{{name}}', name).split(' ');
  const words = program === 'blockwork' ? ['node_modules/@blockwork/cli/bin/blockwork.js', ...args] : args;
  return words.map((word) => JSON.stringify(word)).join(', ');
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (written, name: string) => values[name] ?? written);
}

/** All packages have one version. */
async function ownVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as unknown;
  return (manifest as { readonly version: string }).version;
}
