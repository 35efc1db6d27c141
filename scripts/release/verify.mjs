/**
 * `npm run verify -- <folder> [--key <public key in PEM>]`: whether the files of a release are those that its checksums, bill
 * of materials and statement of origin are about, and with a key, whether its owner says so.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../install.mjs';
import { main, StepFailed } from '../run.mjs';

await main(async (args) => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { key: { type: 'string' } } });
  if (positionals.length !== 1) throw new StepFailed('npm run verify -- <folder> [--key <public key in PEM>]');
  await install();
  // Only now is everything there that it imports.
  const { evidenceProblems } = await import('./evidence.mjs');
  const publicKey = values.key === undefined ? undefined : await readFile(resolve(values.key), 'utf8');
  const problems = await evidenceProblems(resolve(positionals[0]), { publicKey });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  console.log(
    publicKey === undefined
      ? 'All files are those that the release names. Who built it is not verified: name a key.'
      : 'All files are those that the owner of the key built.',
  );
  return 0;
});
