/** Bundles the page of the console from its sources, where they changed since the last time. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { filesBelow, replacedBundle } from './bundles/replaced-bundle.mjs';
import { main, root, runNode, StepFailed } from './run.mjs';

const folder = join(root, 'packages', 'console');
const config = join(folder, 'vite.config.mjs');

/**
 * Compressed bytes of script, and files of it for the first screen: browsers ask for six files at a time. What only authors
 * of policies load is counted apart from what everybody may.
 */
const MOST = { first: 130_000, all: 300_000, authors: 200_000, files: 4 };

/** As `vite.config.mjs` names it. */
const ofAuthors = /(^|[\\/])author-[^\\/]*\.js$/;

/** Resolves to what was done. `dist` has the page in `app`, and a note of what it was made from; `write` as in `replacedBundle`. */
export async function bundleConsole(dist = join(folder, 'dist'), write = writePage) {
  let sizes = '';
  const bundle = {
    ...{ dist, name: 'app', entry: 'index.html', wanted: await fingerprint() },
    write: async (target) => {
      const files = await write(target);
      sizes = await checkedSizes(target, files);
      return files;
    },
  };
  return (await replacedBundle(bundle)) === null ? 'up to date' : `bundled, ${sizes}`;
}

async function writePage(target) {
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await runNode([vite, 'build', '--logLevel', 'error', '--config', config, '--outDir', target], {
    output: 'on failure',
    // Under a test runner it is `test`, and React would be bundled for developers.
    env: { NODE_ENV: 'production' },
  });
  if (code !== 0) throw new StepFailed('The console cannot be bundled; the reason is above.');
  return filesBelow(target);
}

/** Resolves to the sizes in words. Throws where the page would load more than it may. */
async function checkedSizes(app, files) {
  const page = await readFile(join(app, 'index.html'), 'utf8');
  const names = files.filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, bytes: gzipSync(await readFile(join(app, name))).length })),
  );
  const sum = (files) => files.reduce((total, { bytes }) => total + bytes, 0);
  const firstFiles = sizes.filter(({ name }) => page.includes(name));
  const first = sum(firstFiles);
  const all = sum(sizes.filter(({ name }) => !ofAuthors.test(name)));
  const authors = sum(sizes.filter(({ name }) => ofAuthors.test(name)));
  const words = `first screen ${inKb(first)} of script, all ${inKb(all)}, ${inKb(authors)} more for authors`;
  if (firstFiles.length > MOST.files) {
    const names = firstFiles.map(({ name }) => name).join(', ');
    throw new StepFailed(
      `The first screen of the console comes in ${firstFiles.length} files of script (${names}); it may have ${MOST.files}: add what it shares with other screens to the group "base" in vite.config.mjs.`,
    );
  }
  if (first <= MOST.first && all <= MOST.all && authors <= MOST.authors) return words;
  throw new StepFailed(
    `The console is too large: ${words}, compressed. It may have ${inKb(MOST.first)}, ${inKb(MOST.all)} and ${inKb(MOST.authors)}: load what few need with the screen that needs it.`,
  );
}

const inKb = (bytes) => `${Math.round(bytes / 1000)} kB`;

/** One hash over the sources of the page, of the client and of the hooks that are bundled into it, and what is installed. */
async function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [join(root, 'pnpm-lock.yaml'), config, fileURLToPath(import.meta.url)])
    hash.update(await readFile(file));
  const packages = ['client', 'contract', 'react'].map((name) => join(root, 'packages', name, 'src'));
  for (const sources of [join(folder, 'app'), ...packages]) {
    for (const file of (await filesBelow(sources)).sort())
      hash.update(join(sources, file).slice(root.length)).update(await readFile(join(sources, file)));
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await bundleConsole();
    return 0;
  });
}
