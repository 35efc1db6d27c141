/** What code of `@blockwork/blocks` needs beside itself once it is bundled: the programs of its threads, and what it loads on demand. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { substitute, write, writeOnDemand } from './write.mjs';

const folderOfBlocks = join(root, 'packages', 'blocks');
const formulas = join(folderOfBlocks, 'src', 'formulas');

const threads = {
  'formula-worker': join(formulas, 'runner', 'formula-worker.ts'),
  'script-worker': join(folderOfBlocks, 'src', 'scripts', 'script-worker.ts'),
};

/** Bundled code finds these files beside itself. */
export const besideBlocks = [
  substitute(
    'blocks/src/threads/programs.ts',
    `export const programs = {
       formula: new URL('./formula-worker.js', import.meta.url),
       script: new URL('./script-worker.js', import.meta.url),
     };`,
  ),
  substitute(
    'blocks/src/formulas/values/library.ts',
    `import { createRequire } from 'node:module';
     export const loadParts = () => createRequire(import.meta.url)('./formula-parser.cjs').loadParts();`,
  ),
  substitute(
    'blocks/src/schemas/linear-expressions.ts',
    `import { createRequire } from 'node:module';
     export const loadExpressions = () => createRequire(import.meta.url)('./expressions.cjs');`,
  ),
];

/** Writes these files; a thread loads one file, which holds what it runs and no more. */
export async function writeBesideBlocks(folder, options) {
  const written = await Promise.all([
    writeFormulaParser(folder),
    // What matches the patterns of schemas is loaded with the first of them.
    writeOnDemand(folder, 'expressions', librariesOfBlocks.resolve('re2js')),
    ...Object.entries(threads).map(([name, source]) =>
      write({ [name]: source }, { folder, codeSplitting: false, ...options }),
    ),
  ]);
  return written.flat();
}

/** The parser of formulas, without the rest of its library. It is loaded with the first formula. */
export const writeFormulaParser = (folder) =>
  writeOnDemand(folder, 'formula-parser', join(formulas, 'values', 'parser-alone.ts'));

export const librariesOfBlocks = createRequire(join(folderOfBlocks, 'package.json'));
