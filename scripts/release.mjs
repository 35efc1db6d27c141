/**
 * `npm run release -- <version> [--dry-run]`: writes the version, checks everything and packs all packages into `release/`.
 * Publishes, commits and tags nothing. A dry run prints what it would write.
 */
import { install } from './install.mjs';
import { main } from './run.mjs';

await main(async (args) => {
  await install();
  // Only now is everything there that the steps import.
  const { release } = await import('./release/release.mjs');
  await release(args);
  return 0;
});
