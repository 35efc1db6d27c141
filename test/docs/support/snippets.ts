/** The blocks of code in the pages of the project, with what their fences say of them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Snippet {
  /** Page and line, as an editor opens it: `docs/cli.md:46`. */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  /** Behind the language: `no-run`. */
  readonly info: string;
  readonly code: string;
}

/** Of all pages that people write; the pages of block types are generated and tested with their types. */
export async function snippetsOfPages(): Promise<Snippet[]> {
  const pages = (await Promise.all(['.', 'docs', 'docs/decisions', 'packages', 'examples'].map(pagesIn))).flat();
  return (await Promise.all(pages.sort().map(snippetsOf))).flat();
}

/** Of `packages` and `examples`, the README of each folder. */
async function pagesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  if (folder === 'packages' || folder === 'examples') {
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}/README.md`);
  }
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md')).map(({ name }) => name);
  return names.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}

async function snippetsOf(page: string): Promise<Snippet[]> {
  const text = await readFile(join(root, page), 'utf8').catch(() => '');
  const fences = /^( *)```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^\1```$/gm;
  return [...text.matchAll(fences)].map(({ index, 1: indent = '', 2: language = '', 3: info = '', 4: code = '' }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    page,
    language,
    info,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** How many of each language, and of each remark: `{ 'sh': 3, 'sh no-run': 2 }`. */
export function counted(snippets: readonly Snippet[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { language, info } of snippets) {
    const kind = info === '' ? language : `${language} ${info}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
