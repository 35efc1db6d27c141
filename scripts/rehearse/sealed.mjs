/**
 * The stranger once more, in a network of its own in which there is nothing but the registry: `unshare` starts this. Its
 * arguments are the registry's program, its folder, the stranger's, and that of the release.
 */
import { main } from '../run.mjs';
import { strangersProblems } from './stranger.mjs';
import { openVerdaccio } from './verdaccio.mjs';

const [program, storage, folder, release] = process.argv.slice(2);

await main(async () => {
  const registry = await openVerdaccio(program, storage, { isSealed: true });
  try {
    const problems = await strangersProblems(folder, registry.url, release);
    for (const problem of problems) console.error(problem);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await registry.close();
  }
});
