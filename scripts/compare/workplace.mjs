/** A folder for each engine, as a user of it has it: what npm installs, and the files that they write. */
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../packages/consumer.mjs';
import { bytesBelow } from '../packages/weight.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Resolves to the folder, the megabytes that npm installed, and the lines that a user writes. */
export async function workplaceOf(engine, folder, tarballs) {
  const ours = engine.ours.map((name) => tarballOf(name, tarballs));
  await installPackages(folder, [...ours, ...engine.packages]);
  const megabytes = (await bytesBelow(join(folder, 'node_modules'))) / 2 ** 20;
  for (const file of engine.files) await copyFile(join(here, 'flows', file), join(folder, file));
  await copyFile(join(here, 'process.mjs'), join(folder, 'process.mjs'));
  await mkdir(join(folder, 'store'));
  return { folder, megabytes, lines: await linesOf(engine) };
}

const tarballOf = (name, tarballs) =>
  tarballs.find((path) => new RegExp(`^blockwork-${name}-\\d`).test(basename(path)));

async function linesOf({ files }) {
  const texts = await Promise.all(files.map((file) => readFile(join(here, 'flows', file), 'utf8')));
  return texts.map(codeLines).reduce((sum, lines) => sum + lines, 0);
}

/** Lines with neither blanks nor comments alone. */
export const codeLines = (text) =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line)).length;
