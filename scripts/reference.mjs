/** `npm run reference`: writes the pages that are generated from the code. A test keeps both equal. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { build } from './build.mjs';
import { allBlockTypes, referencePages } from './reference/pages.mjs';
import { main, root } from './run.mjs';

await main(async () => {
  await build();
  const pages = await referencePages((path) => readFile(join(root, path), 'utf8'), await code());
  const files = new Set(pages.map(({ file }) => file));
  await mkdir(join(root, 'docs', 'blocks'), { recursive: true });
  for (const name of await readdir(join(root, 'docs', 'blocks'))) {
    if (!files.has(`docs/blocks/${name}`)) await rm(join(root, 'docs', 'blocks', name));
  }
  for (const { file, text } of pages) {
    const path = join(root, file);
    await writeFile(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
  }
  return 0;
});

async function code() {
  const { commands } = await import('../packages/cli/dist/index.js');
  const block = await import('../packages/core/dist/block.js');
  const blocks = await import('../packages/blocks/dist/index.js');
  const { readPolicy } = await import('../packages/core/dist/files.js');
  const { contract } = await import('../packages/contract/dist/index.js');
  const { methodErrors } = await import('../packages/core/dist/index.js');
  const policyEvent = contract.policyEvents.answers[200].schema;
  const zod = createRequire(join(root, 'packages', 'core', 'package.json')).resolve('zod');
  const { toJSONSchema } = await import(pathToFileURL(join(dirname(zod), 'index.js')).href);
  return {
    commands,
    methodErrors,
    policyEvent,
    blockTypes: allBlockTypes(block, blocks),
    toJsonSchema: toJSONSchema,
    readPolicy,
  };
}
