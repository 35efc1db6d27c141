/**
 * Bundles the program `blockwork` from the sources, where they changed since the last time, so that a command starts from some
 * twenty files instead of six hundred.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeBundles } from './command-line/bundles.mjs';
import { checkDependencies } from './command-line/dependencies.mjs';
import { licencesOf } from './command-line/licences.mjs';
import { main, root } from './run.mjs';

const packages = join(root, 'packages');
const folder = join(packages, 'cli');

/**
 * Resolves to what was done. `dist` has the bundle, and a note of what it was made from. `write` puts the files of a bundle into the
 * folder that it is given, and resolves to their names.
 */
export async function bundleCommandLine(dist = join(folder, 'dist'), write = writeCommandLine) {
  // Two levels below the manifest, as the module that reads it is when it is compiled.
  const place = join(dist, 'bundle');
  const note = join(dist, '.bundle-build');
  const wanted = await fingerprint();
  const { sources, files: before = [] } = JSON.parse(await readFile(note, 'utf8').catch(() => '{}'));
  const there = await readdir(place).catch(() => []);
  if (sources === wanted && before.every((file) => there.includes(file))) return 'up to date';
  await mkdir(dist, { recursive: true });
  const fresh = await mkdtemp(join(dist, '.bundle-'));
  try {
    const files = await write(fresh);
    await replace(fresh, place, files);
    // A program that runs may yet load a file of the bundle that it began with. Two changes later, that is hardly so.
    const kept = [...files, ...before];
    await Promise.all(there.filter((file) => !kept.includes(file)).map((file) => rm(join(place, file))));
    await writeFile(note, JSON.stringify({ sources: wanted, files }));
    return `${files.length} files`;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Writes the bundle into the folder, its entry being `program.js`, and resolves to the names of its files. */
export async function writeCommandLine(target) {
  const chunks = await writeBundles(target);
  await checkDependencies(chunks, folder);
  await writeFile(join(target, 'LICENSES.txt'), await licencesOf(chunks));
  return [...chunks.map(({ fileName }) => fileName), 'LICENSES.txt'];
}

/** File by file, what others load before what loads them: a program that starts meanwhile finds what it asks for. */
async function replace(fresh, place, files) {
  await mkdir(place, { recursive: true });
  const entries = files.filter((file) => file === 'program.js');
  for (const file of [...files.filter((each) => !entries.includes(each)), ...entries]) {
    await rename(join(fresh, file), join(place, file));
  }
}

/** One hash over the sources of all packages, what is installed, and what bundles them. */
async function fingerprint() {
  const hash = createHash('sha256');
  const scripts = join(root, 'scripts');
  const single = [join(root, 'pnpm-lock.yaml'), join(root, 'tsconfig.lint.json'), join(scripts, 'command-line.mjs')];
  const own = (await readdir(packages)).map((name) => join(packages, name, 'src'));
  const folders = await Promise.all([join(scripts, 'command-line'), ...own].map(filesBelow));
  for (const file of [...single, join(folder, 'package.json'), ...folders.flat().sort()]) {
    hash.update(`\n${file.slice(root.length)}\n`).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function filesBelow(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await bundleCommandLine();
    return 0;
  });
}
