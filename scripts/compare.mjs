/**
 * `npm run compare`: the same approval of ten steps on this engine and on others, each installed as its users do. Others come
 * from the npm registry in fixed versions, into a temporary folder; the packages of this repository need none of them.
 */
import { install } from './install.mjs';
import { main } from './run.mjs';

await main(async (args) => {
  await install();
  // Only now is everything there that the steps import.
  const { compare } = await import('./compare/compare.mjs');
  await compare(args);
  return 0;
});
