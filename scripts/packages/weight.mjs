/** How heavy the packages are: what they take up on a disk, and how many files a program opens that imports them. */
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installPackages, program } from './consumer.mjs';

/** For a program that embeds the engine with the standard blocks, in megabytes as `du` counts them. */
export const MOST_MEGABYTES = 35;
const EMBEDDED = ['core', 'blocks'];

/** Files with code; the time of an import follows them. */
const MOST_FILES = { '@blockwork/core': 15, '@blockwork/blocks': 12, '@blockwork/http-koa': 40 };

export async function sizeProblems(folder, tarballs) {
  const megabytes = await embeddedMegabytes(folder, tarballs);
  if (megabytes <= MOST_MEGABYTES) return [];
  return [`${EMBEDDED.join(' and ')} take up ${megabytes.toFixed(1)} MB; they may have ${MOST_MEGABYTES}.`];
}

/** Installs the packages that embed the engine into the folder, and resolves to what they take up with their dependencies. */
export async function embeddedMegabytes(folder, tarballs) {
  const names = EMBEDDED.map((name) => `blockwork-${name}-`);
  const isEmbedded = (file) => names.some((name) => new RegExp(`^${name}\\d`).test(basename(file)));
  await installPackages(folder, tarballs.filter(isEmbedded));
  return (await bytesBelow(join(folder, 'node_modules'))) / 2 ** 20;
}

/** What a folder takes up on the disk, as `du` counts it. */
export async function bytesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const stats = await Promise.all(entries.map(({ parentPath, name }) => lstat(join(parentPath, name))));
  // A block is 512 bytes on every system; Windows counts none.
  return stats.reduce((sum, { blocks, size }) => sum + (blocks === undefined ? size : blocks * 512), 0);
}

/** `folder` has the programs of the consumer. */
export async function openedProblems(folder) {
  const problems = await Promise.all(
    Object.entries(MOST_FILES).map(async ([entry, most]) => {
      const { stdout, problems } = await program(process.execPath, ['opened.mjs', entry], folder);
      if (problems.length > 0 || Number(stdout) <= most) return problems;
      return [`Importing ${entry} opens ${stdout.trim()} files; it may open ${most}.`];
    }),
  );
  return problems.flat();
}
