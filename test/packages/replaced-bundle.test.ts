/** A bundle that is made anew beside what runs from the one before it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '@blockwork/core';
import { createPolicyServer } from '@blockwork/http-koa';
import { expect, it, onTestFinished } from 'vitest';
import { filesBelow, replacedBundle } from '../../scripts/bundles/replaced-bundle.mjs';
import { temporaryFolders } from '../support/folders.js';

const newFolder = temporaryFolders();

/** A page and the one script that it loads, named after `version`. */
const page = (dist: string, version: string) => ({
  ...{ dist, name: 'app', entry: 'index.html', wanted: version },
  write: async (target: string): Promise<string[]> => {
    await mkdir(join(target, 'assets'));
    await writeFile(join(target, 'assets', `main-${version}.js`), version);
    await writeFile(join(target, 'index.html'), `<script src="assets/main-${version}.js"></script>`);
    return ['index.html', `assets/main-${version}.js`];
  },
});

it('is written where its sources changed, or where a file of it is gone', async () => {
  const dist = await newFolder();
  expect(await replacedBundle(page(dist, 'one'))).toEqual(['index.html', 'assets/main-one.js']);
  expect(await replacedBundle(page(dist, 'one'))).toBeNull();
  await writeFile(join(dist, '.app-build'), 'no note');
  expect(await replacedBundle(page(dist, 'one'))).toHaveLength(2);
  expect((await readdir(dist)).sort()).toEqual(['.app-build', 'app']);
});

it('that cannot be written leaves the one before it', async () => {
  const dist = await newFolder();
  await replacedBundle(page(dist, 'one'));
  const failing = { ...page(dist, 'two'), write: () => Promise.reject(new Error('too large')) };
  await expect(replacedBundle(failing)).rejects.toThrow('too large');
  expect((await readdir(dist)).sort()).toEqual(['.app-build', 'app']);
  expect(await replacedBundle(page(dist, 'one'))).toBeNull();
});

it('is whole whenever it is looked at, also while several write it', async () => {
  const dist = await newFolder();
  await replacedBundle(page(dist, 'one'));
  const app = join(dist, 'app');
  const look = async (): Promise<void> => {
    const [, script = ''] = /src="(.*)"/.exec(await readFile(join(app, 'index.html'), 'utf8')) ?? [];
    expect(await readFile(join(app, script), 'utf8')).toMatch(/one|two/);
  };
  const progress = { isWriting: true };
  const writing = Promise.all([1, 2, 3].map(() => replacedBundle(page(dist, 'two')))).finally(
    () => (progress.isWriting = false),
  );
  while (progress.isWriting) await look();
  await writing;
  await look();
  expect(await filesBelow(app)).toContain('assets/main-two.js');
  expect((await readdir(dist)).sort()).toEqual(['.app-build', 'app']);
});

it('leaves to a server that began before it the page with which it began', async () => {
  const dist = await newFolder();
  await replacedBundle(page(dist, 'one'));
  const engine = createEngine();
  const console = { assets: join(dist, 'app') };
  const server = createPolicyServer(engine, { auth: { secret: new Uint8Array(32).fill(1) }, console });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
  });
  const { url } = await server.listen({ port: 0 });
  await replacedBundle(page(dist, 'two'));
  const html = await (await fetch(`${url}/console/`)).text();
  expect(html).toContain('main-one.js');
  expect(await (await fetch(`${url}/console/assets/main-one.js`)).text()).toBe('one');
});
