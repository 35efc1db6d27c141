/** `npm run architecture`: draws the generated parts of ARCHITECTURE.md from the code. A test keeps both equal. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { drawnPage, page } from './architecture/page.mjs';
import { main, root, runTool, StepFailed } from './run.mjs';

await main(async () => {
  if ((await runTool('typescript-native/bin/tsc', ['-b', 'packages/core'])) !== 0) {
    throw new StepFailed('Core does not compile; the places are above.');
  }
  const core = await import('../packages/core/dist/index.js');
  const kit = await import('../packages/core/dist/block.js');
  const { z } = createRequire(join(root, 'packages', 'core', 'package.json'))('zod');
  await writeFile(page, await drawnPage(await readFile(page, 'utf8'), { core, kit, z }));
  return 0;
});
