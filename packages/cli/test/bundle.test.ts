/** The program as it is published, bundled: it starts from few files, finds what lies beside it, and its threads start. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApiDocument } from '@blockwork/contract';
import { packArchive } from '@blockwork/core/files';
import { beforeAll, expect, it } from 'vitest';
import { bundleCommandLine } from '../../../scripts/command-line.mjs';
import { temporaryFolders } from '../../../test/support/folders.js';
import { loadedBy, type Loaded } from './support/loaded-modules.js';
import { proofFile } from './support/proof-file.js';
import { publishedProgram } from './support/published-program.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
const own = fileURLToPath(new URL('..', import.meta.url));
let [folder, dist, program, policy] = ['', '', '', ''];

beforeAll(async () => {
  folder = await newFolder();
  ({ dist, program } = await publishedProgram(folder));
  await run(['new', join(folder, 'sunlight')]);
  policy = join(folder, 'sunlight', 'sunlight.policy.json');
});

const load = (...argv: string[]): Promise<Loaded> => loadedBy(program, folder, argv);
const loads = new Map<string, Promise<Loaded>>();
/** For commands that several tests look at: each runs once. */
function loadOnce(...argv: string[]): Promise<Loaded> {
  const key = argv.join(' ');
  const loading = loads.get(key) ?? load(...argv);
  loads.set(key, loading);
  return loading;
}
const libraries = ({ packages }: Loaded): string[] =>
  Object.keys(packages)
    .filter((name) => name !== 'program')
    .sort();

it('commands that open no store load a few files, those of libraries among them, and not a module for each source', async () => {
  const archive = join(folder, 'empty.policy');
  await writeFile(archive, packArchive(new Map([['policy.json', Buffer.from('{}')]])));
  const proof = join(folder, 'proof.json');
  await proofFile(proof);
  for (const [most, ...argv] of [
    [6, '--help'],
    [6, '--version'],
    [8, 'openapi'],
    [8, 'verify', proof],
    [14, 'unpack', archive, join(folder, 'empty')],
    [14, 'pack', join(folder, 'empty'), join(folder, 'again.policy')],
    [26, 'validate', policy],
    [26, 'graph', policy],
    [26, 'explain', policy, 'root', '--as', 'owner'],
    [26, 'diff', policy, policy],
    [26, 'client', policy],
  ] as const) {
    const { out, files } = await loadOnce(...argv);
    expect(out, argv.join(' ')).not.toBe('');
    expect(files.length, argv.join(' ')).toBeLessThanOrEqual(most);
  }
});

it('commands that look at a policy load no package, and the parser of formulas only to check one', async () => {
  for (const argv of [['--help'], ['openapi'], ['validate', policy]]) {
    expect(libraries(await loadOnce(...argv)), argv.join(' ')).toEqual([]);
  }
  const parser = 'formula-parser.cjs';
  expect((await loadOnce('validate', policy)).files).toContain(parser);
  for (const command of ['graph', 'client']) expect((await loadOnce(command, policy)).files).not.toContain(parser);
  for (const command of ['validate', 'graph'])
    expect((await loadOnce(command, policy)).files).not.toContain('expressions.cjs');
});

it('the OpenAPI document is that of the contract, whatever the prefix', async () => {
  for (const prefix of ['/api/v1', '', '/a/b']) {
    const { out } = await loadOnce('openapi', '--prefix', prefix);
    expect(out).toBe(`${JSON.stringify(openApiDocument({ prefix }), null, 2)}\n`);
  }
});

it('a reader that closes early, such as head, ends a command without an error', async () => {
  const child = spawn(process.execPath, [program, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

it('the licences of the libraries in it come with it', async () => {
  const text = await readFile(join(dist, 'bundle', 'LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'decimal.js', 'mathjs', 'typed-function', 'zod']) {
    expect(text).toMatch(new RegExp(`^${name.replace('.', '\\.')} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  }
  expect(text).toContain('Copyright');
});

it('is made anew only where something changed, and keeps the files of the one before for what still runs', async () => {
  const bundle = join(dist, 'bundle');
  const note = join(dist, '.bundle-build');
  expect(await bundleCommandLine(dist)).toBe('up to date');
  const build = JSON.parse(await readFile(note, 'utf8')) as { readonly sources: string; readonly files: string[] };
  expect((await readdir(bundle)).sort()).toEqual([...build.files].sort());
  // Equal sources make equal bundles, so each is written as the first one was.
  const first = join(folder, 'first-bundle');
  await cp(bundle, first, { recursive: true });
  const writeAgain = async (target: string): Promise<string[]> => {
    await cp(first, target, { recursive: true });
    return build.files;
  };

  for (const name of ['before.js', 'older.js']) await writeFile(join(bundle, name), '');
  await writeFile(note, JSON.stringify({ sources: 'others', files: [...build.files, 'before.js'] }));
  expect(await bundleCommandLine(dist, writeAgain)).toBe(`${String(build.files.length)} files`);
  expect((await readdir(bundle)).sort()).toEqual([...build.files, 'before.js'].sort());
  expect(JSON.parse(await readFile(note, 'utf8'))).toEqual(build);
  expect(await readdir(dist)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^\.bundle-(?!build)/)]));

  await rm(join(bundle, 'program.js'));
  await bundleCommandLine(dist, writeAgain);
  expect((await load('--version')).out).toMatch(/^\d/);
});

it('the version is that of the package, with the commit or the sources that it was built from', async () => {
  const { version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as { readonly version: string };
  const git = promisify(execFile)('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: own });
  // Where there is no repository, a hash of the sources stands for the commit.
  const commit = await git.then(({ stdout }) => stdout.trim()).catch(() => '[0-9a-f]{12}');
  const { out } = await load('--version');
  expect(out.startsWith(`${version}+`)).toBe(true);
  expect(out.slice(version.length + 1)).toMatch(new RegExp(`^${commit}(\\.[0-9a-f]{12})?\n$`));
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

it('patterns of schemas are matched by a file that is loaded with the first of them', async () => {
  const text = await readFile(policy, 'utf8');
  const site = /("site": \{\s*"type": "string",)/;
  expect(text).toMatch(site);
  const project = join(folder, 'patterns');
  await mkdir(project);
  const patterned = join(project, 'a.policy.json');
  await copyFile(policy.replace('.policy.', '.scenario.'), join(project, 'a.scenario.json'));
  await writeFile(patterned, text.replace(site, '$1 "pattern": "^[^<]*$",'));
  const played = await load('test', patterned);
  expect(played.out).toMatch(/^ok .* 6 steps\n$/);
  expect(played.files).toContain('expressions.cjs');
  await writeFile(patterned, text.replace(site, '$1 "pattern": "^nobody$",'));
  await expect(load('test', patterned)).rejects.toThrow();
});
