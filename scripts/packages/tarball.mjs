/** A packed package: its files, and what two published linters say about it. */
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The text of each file by its path inside the package. */
export async function filesOf(tarball) {
  const opened = await open(tarball);
  const below = `/node_modules/${opened.packageName}/`;
  const paths = opened.listFiles().filter((path) => path.startsWith(below));
  return new Map(paths.map((path) => [path.slice(below.length), opened.readFile(path)]));
}

/** publint: whether the manifest and the files of the package agree. */
export async function publintProblems(tarball) {
  const data = await readFile(tarball);
  const packed = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: packed }, level: 'suggestion', strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** Are the types wrong: whether TypeScript and Node find the same thing at each entry point. */
export async function typeProblems(tarball) {
  const analysis = await checkPackage(await open(tarball));
  if (analysis.types === false) return ['The package has no types.'];
  return analysis.problems
    .filter((problem) => !isAccepted(problem))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}

/**
 * `node10` knows no `exports`; no Node that the packages run on resolves that way. That `require()` gets an ES module is
 * wanted: every Node that the packages run on can, which the programs of the consumer prove.
 */
const isAccepted = ({ kind, resolutionKind }) => resolutionKind === 'node10' || kind === 'CJSResolvesToESM';

const open = async (tarball) => createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
