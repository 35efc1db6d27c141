/** The pages of the site: Markdown files, where they are in the repository. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, StepFailed } from '../run.mjs';
import { API, sections } from './navigation.mjs';

/** The address of a page, relative to the start of the site. */
export const addressOf = (page) => page.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** Sections with the files of their pages, and the text of each file. Fails if a file of `docs` is in no section. `hasApi`: whether there is an API reference. */
export async function readPages({ hasApi = true } = {}) {
  const named = new Set(sections.flatMap(({ pages }) => pages));
  const navigation = [];
  for (const { title, pages } of sections) {
    const files = await Promise.all(pages.map((page) => (page.includes('*') ? matching(page, named) : [page])));
    navigation.push({ title, pages: files.flat().filter((file) => hasApi || file !== API) });
  }
  const files = navigation.flatMap(({ pages }) => pages).filter((page) => page !== API);
  const all = (await readdir(join(root, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md'));
  const unlisted = all.map((file) => `docs/${file}`).filter((file) => !files.includes(file));
  if (unlisted.length > 0) throw new StepFailed(`Not in scripts/site/navigation.mjs: ${unlisted.join(', ')}.`);
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')]));
  return { navigation, texts: new Map(texts) };
}

/** The files that a pattern with one `*` means and that are not named otherwise. */
async function matching(pattern, named) {
  const [folder, rest] = pattern.split('/*');
  const names = (await readdir(join(root, folder))).sort();
  const files = names.map((name) => `${folder}/${name}${rest}`).filter((file) => file.endsWith('.md'));
  const exists = await Promise.all(files.map((file) => isFile(file)));
  return files.filter((file, at) => exists[at] && !named.has(file));
}

const isFile = (file) =>
  access(join(root, file)).then(
    () => true,
    () => false,
  );
