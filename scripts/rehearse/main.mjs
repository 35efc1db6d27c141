/**
 * `npm run rehearse`: publishes all packages to a registry on this machine, and has a stranger install them from there, first
 * with the usual registry behind it and then without any network but that registry.
 */
import { install } from '../install.mjs';
import { main } from '../run.mjs';

await main(async () => {
  await install();
  // Only now is everything there that the steps import.
  const { rehearse } = await import('./rehearse.mjs');
  return (await rehearse()) ? 0 : 1;
});
