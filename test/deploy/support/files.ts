/** The files of `deploy/`, as text and parsed. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../../scripts/run.mjs';

export const deploy = join(root, 'deploy');

export const textOf = (name: string): Promise<string> => readFile(join(deploy, name), 'utf8');

/** Paths below the folder. */
export async function filesOf(): Promise<string[]> {
  const entries = await readdir(deploy, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(deploy.length + 1))
    .sort();
}

/** Each document of a YAML file. Throws where it is none, or names a member twice. */
export async function yamlOf(name: string): Promise<unknown[]> {
  return parseAllDocuments(await textOf(name), { strict: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw new Error(`${name}: ${problem.message}`);
    return document.toJS() as unknown;
  });
}
