/** The program as it is published, bundled: it starts from few files, finds what lies beside it, and its threads start. */
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packArchive } from '@blockwork/core/files';
import { beforeAll, expect, it } from 'vitest';
import { writeCommandLine } from '../../../scripts/command-line.mjs';
import { temporaryFolders } from '../../../test/support/folders.js';
import { loadedBy, type Loaded } from './support/loaded-modules.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
const own = fileURLToPath(new URL('..', import.meta.url));
let [folder, program, policy] = ['', '', ''];

beforeAll(async () => {
  folder = await newFolder();
  const published = join(folder, 'published');
  await mkdir(published);
  await copyFile(join(own, 'package.json'), join(published, 'package.json'));
  await cp(join(own, 'bin'), join(published, 'bin'), { recursive: true });
  await symlink(join(own, 'node_modules'), join(published, 'node_modules'), 'junction');
  await writeCommandLine(join(published, 'dist', 'bundle'));
  program = join(published, 'bin', 'blockwork.js');
  await run(['new', join(folder, 'sunlight')]);
  policy = join(folder, 'sunlight', 'sunlight.policy.json');
});

const load = (...argv: string[]): Promise<Loaded> => loadedBy(program, folder, argv);
const libraries = ({ packages }: Loaded): string[] =>
  Object.keys(packages)
    .filter((name) => name !== 'program')
    .sort();

it('commands that open no store load a few files of their own, not a module for each source', async () => {
  const archive = join(folder, 'empty.policy');
  await writeFile(archive, packArchive(new Map([['policy.json', Buffer.from('{}')]])));
  for (const [most, ...argv] of [
    [6, '--help'],
    [6, '--version'],
    [9, 'openapi'],
    [10, 'unpack', archive, join(folder, 'empty')],
    [10, 'pack', join(folder, 'empty'), join(folder, 'again.policy')],
    [20, 'validate', policy],
    [20, 'graph', policy],
    [20, 'explain', policy, 'root', '--as', 'owner'],
    [20, 'diff', policy, policy],
    [20, 'client', policy],
  ] as const) {
    const { out, packages } = await load(...argv);
    expect(out, argv.join(' ')).not.toBe('');
    expect(packages['program'], argv.join(' ')).toBeLessThanOrEqual(most);
  }
});

it('each command loads the libraries that its modules load', async () => {
  expect(libraries(await load('--help'))).toEqual(['commander']);
  expect(libraries(await load('openapi'))).toEqual(['commander', 'zod']);
  const reading = ['ajv-formats', 'commander', 'croner', 'lru-cache', 'mathjs', 're2js', 'zod'];
  expect(libraries(await load('validate', policy))).toEqual(reading);
});

it('the version is that of the package', async () => {
  const { version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as { readonly version: string };
  expect((await load('--version')).out).toBe(`${version}\n`);
});

it('threads find their program', async () => {
  // More steps than are calculated at once, without a thread.
  const sum = Array<string>(60).fill('0').join('+');
  const rule = ['kilowattHours', ...Array<string>(40).fill(`(${sum})`)].join('+');
  const text = await readFile(policy, 'utf8');
  expect(text).toContain('"rule": "kilowattHours"');
  const project = join(folder, 'threads');
  await mkdir(project);
  await writeFile(join(project, 'a.policy.json'), text.replace('"rule": "kilowattHours"', `"rule": "${rule}"`));
  await copyFile(policy.replace('.policy.', '.scenario.'), join(project, 'a.scenario.json'));
  const played = await load('test', join(project, 'a.policy.json'));
  expect(played.out).toMatch(/^ok .* 6 steps\n$/);
  expect(libraries(played)).toContain('piscina');
});
