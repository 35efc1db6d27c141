/** `npm run packages`: packs all packages that are published, and tries them as their users get them. */
import { install } from './install.mjs';
import { main } from './run.mjs';

await main(async () => {
  await install();
  // Only now is everything there that the checks import.
  const { checkPackages } = await import('./packages/check-packages.mjs');
  return (await checkPackages()) ? 0 : 1;
});
