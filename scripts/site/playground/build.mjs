/** Builds the playground: the page, the engine for its worker, the console, and the examples. */
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleConsole } from '../../console.mjs';
import { root } from '../../run.mjs';
import { bundleEngine, bundlePage } from './engine-bundle.mjs';
import { playgroundExamples } from './examples.mjs';

const own = (name) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

/** Into the folder, which is made. Resolves to its scripts, without those of the console. */
export async function buildPlayground(folder) {
  await mkdir(join(folder, 'examples'), { recursive: true });
  await bundleConsole();
  const console = join(root, 'packages', 'console', 'dist', 'app');
  await cp(join(console, 'assets'), join(folder, 'assets'), { recursive: true });
  await writeFile(
    join(folder, 'console.json'),
    JSON.stringify(filesOf(await readFile(join(console, 'index.html'), 'utf8'))),
  );
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ prefix: '/playground/api/v1' }));
  for (const [name, text] of await playgroundExamples())
    await writeFile(join(folder, 'examples', `${name}.policy.json`), text);
  for (const name of ['index.html', 'playground.css']) await copyFile(own(name), join(folder, name));
  return [...(await bundleEngine(folder)), await bundlePage(folder)];
}

/** What the page of the console loads, in its order. */
const filesOf = (page) => ({
  scripts: [...page.matchAll(/<script[^>]* src="\.\/([^"]+)"/g)].map(([, path]) => path),
  styles: [...page.matchAll(/<link rel="stylesheet"[^>]* href="\.\/([^"]+)"/g)].map(([, path]) => path),
});
