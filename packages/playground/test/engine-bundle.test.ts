/** The engine is bundled for a page from its sources, so a module of Node.js that it begins to use is noticed here. */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bundleEngine } from '../../../scripts/site/playground/engine-bundle.mjs';
import { temporaryFolders } from '../../../test/support/folders.js';

const newFolder = temporaryFolders();

it('Everything that the engine imports from Node.js has a stand-in for a page', async () => {
  const folder = await newFolder();
  const chunks = await bundleEngine(folder);
  expect(chunks.flatMap(({ imports }) => imports)).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual([
    'emscripten-module.wasm',
    'engine.js',
    'formula-worker.js',
    'script-worker.js',
  ]);
});
