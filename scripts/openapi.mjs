/** `npm run openapi`: writes docs/openapi.json from the contract. A test keeps both equal, so that a review sees what changes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { build } from './build.mjs';
import { main, root } from './run.mjs';

await main(async () => {
  await build();
  const { openApiDocument } = await import('../packages/contract/dist/index.js');
  const file = join(root, 'docs', 'openapi.json');
  const text = JSON.stringify(openApiDocument(), null, 2);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
  return 0;
});
