/** Builds the pages of the site, its search and its style. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { root, StepFailed } from '../run.mjs';
import { layout } from './layout.mjs';
import { Links } from './links.mjs';
import { rendered } from './markdown.mjs';
import { API } from './navigation.mjs';
import { addressOf, readPages } from './pages.mjs';
import { searchIndex } from './search-index.mjs';

const own = (name) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

/**
 * Replaces the folder. Fails if a link leads nowhere. Resolves to the number of pages, and their scripts. `writeApi` writes the API reference into the
 * folder that it is given, and resolves to what the search is to find of it.
 */
export async function buildPages(folder, { writeApi } = {}) {
  const { navigation, texts } = await readPages({ hasApi: writeApi !== undefined });
  const links = new Links(texts.keys());
  const pages = [...texts].map(([page, text]) => ({ page, ...rendered(page, text, links) }));
  const byFile = new Map(pages.map((page) => [page.page, page]));
  links.checkFragments((file) => byFile.get(file).anchors);
  if (links.broken.length > 0) throw new StepFailed(`Links that lead nowhere:\n${links.broken.join('\n')}`);

  const titleOf = (page) => (page === API ? 'API' : byFile.get(page).title);
  await rm(folder, { recursive: true, force: true });
  const write = async (address, text) => {
    await mkdir(dirname(join(folder, address)), { recursive: true });
    await writeFile(join(folder, address), text);
  };
  await Promise.all(pages.map((page) => write(addressOf(page.page), layout(page, navigation, titleOf))));
  const api = writeApi === undefined ? [] : await writeApi(join(folder, dirname(API)));
  await write('search-index.js', searchIndex(pages, api));
  for (const asset of links.assets) {
    await mkdir(dirname(join(folder, asset)), { recursive: true });
    await copyFile(join(root, asset), join(folder, asset));
  }
  await copyFile(own('style.css'), join(folder, 'style.css'));
  return { count: pages.length, scripts: await bundleScript(join(folder, 'site.js')) };
}

async function bundleScript(file) {
  const bundle = await rolldown({ input: own('site.js'), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.write({ file, format: 'iife', minify: true });
  await bundle.close();
  return output.filter(({ type }) => type === 'chunk');
}
