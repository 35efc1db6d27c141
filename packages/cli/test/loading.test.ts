/** A command loads what it needs: that is what its start costs. Counted in real processes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packArchive } from '@blockwork/core/files';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { buildCommandLine, loadedBy, type Loaded } from './support/loaded-modules.js';
import { proofFile } from './support/proof-file.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
let [folder, program, policy] = ['', '', ''];

beforeAll(async () => {
  folder = await newFolder();
  const modules = join(folder, 'program');
  await mkdir(modules);
  program = await buildCommandLine(modules);
  await run(['new', join(folder, 'sunlight')]);
  policy = join(folder, 'sunlight', 'sunlight.policy.json');
});

const load = (...argv: string[]): Promise<Loaded> => loadedBy(program, folder, argv);
const names = ({ packages }: Loaded): string[] => Object.keys(packages).sort();

it('help, the version and completion load nothing but the table of commands', async () => {
  for (const argv of [['--help'], ['--version'], ['serve', '--help'], ['store', '--help'], ['completion', 'bash']]) {
    const loaded = await load(...argv);
    expect(loaded.out, argv.join(' ')).not.toBe('');
    expect(names(loaded), argv.join(' ')).toEqual(['cli', 'commander', 'program']);
  }
});

/** What reading a policy takes: no server, no store, no container of the engine's parts, no compiler of schemas, no threads, no credentials. */
const reading = ['blocks', 'cli', 'commander', 'contract', 'core', 'croner', 'fraction.js', 'lru-cache', 'program'];
const patterns = ['ajv-formats', 'zod'];

it('commands on a policy load the block types and what reads a policy, not what runs it', async () => {
  for (const argv of [
    ['validate', policy],
    ['graph', policy, '--format', 'svg'],
    ['explain', policy, 'root', '--as', 'owner'],
    ['diff', policy, policy],
    ['client', policy],
  ]) {
    const loaded = await load(...argv);
    // The policy of the template counts tokens with a formula, which its check parses.
    const parser = argv[0] === 'validate' ? ['mathjs'] : [];
    expect(names(loaded), argv.join(' ')).toEqual([...reading, ...patterns, ...parser].sort());
  }
});

it('an archive becomes a folder, and a folder an archive, without any block type', async () => {
  const archive = join(folder, 'empty.policy');
  await writeFile(archive, packArchive(new Map([['policy.json', Buffer.from('{}')]])));
  for (const argv of [
    ['unpack', archive, join(folder, 'empty')],
    ['pack', join(folder, 'empty'), join(folder, 'again.policy')],
  ]) {
    const loaded = names(await load(...argv));
    for (const other of ['blocks', 'inversify']) expect(loaded, argv.join(' ')).not.toContain(other);
  }
});

it('the OpenAPI document is made from the contract alone', async () => {
  expect(names(await load('openapi'))).toEqual(['cli', 'commander', 'contract', 'program', 'zod']);
});

it('a proof is verified without the engine, the block types or a server', async () => {
  const bundle = join(folder, 'bundle.json');
  await proofFile(bundle);
  expect(names(await load('verify', bundle))).toEqual(['cli', 'commander', 'program', 'verify']);
});

it('what looks at a store loads the file store, and neither the engine nor a server', async () => {
  const store = join(folder, 'store');
  await (await openLowdbStore({ folder: store })).close();
  for (const argv of [
    ['store', 'verify', store],
    ['inspect', store],
  ]) {
    const loaded = await load(...argv);
    expect(names(loaded), argv.join(' ')).toContain('store-lowdb');
    for (const other of ['inversify', 'jose', 'blocks', 'koa', 'http', 'client', 'store-postgres']) {
      expect(names(loaded), argv.join(' ')).not.toContain(other);
    }
  }
});
