/** The commands that write and compare policies, as programs: output, JSON, exit codes and errors. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { standardBlocks } from '@blockwork/blocks';
import { packArchive, readPolicy, type PolicyFile } from '@blockwork/core';
import { templates } from 'create-blockwork';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();
const real = process.env['BLOCKWORK_REAL_POLICIES'];
const realFiles =
  real === undefined
    ? []
    : (await readdir(real)).filter((name) => name.endsWith('.policy')).map((name) => join(real, name));

let folder: string;
let policy: string;

beforeAll(async () => {
  folder = await newFolder();
  await run(['new', join(folder, 'sunlight')]);
  policy = join(folder, 'sunlight', 'sunlight.policy.json');
});

describe('new', () => {
  it('makes a project whose policy is valid and whose test passes', async () => {
    const project = join(folder, 'parks');
    expect(await runJson(['new', project])).toMatchObject({
      name: 'parks',
      files: [
        ...['.dockerignore', '.gitignore', 'Dockerfile', 'README.md', 'package.json'],
        ...['parks.policy.json', 'parks.scenario.json'],
      ],
    });
    expect((await readdir(project)).sort()).toEqual([
      ...['.dockerignore', '.gitignore', 'Dockerfile', 'README.md', 'package.json'],
      ...['parks.policy.json', 'parks.scenario.json'],
    ]);
    expect(await run(['validate', '--strict', join(project, 'parks.policy.json')])).toMatchObject({ code: 0, err: '' });
    expect(await run(['test', join(project, 'parks.policy.json')])).toEqual({
      code: 0,
      out: `ok      ${join(project, 'parks.scenario.json')}: 6 steps\n`,
      err: '',
    });
  });

  it.each(Object.keys(templates))(
    'makes a project of the template "%s", whose policies are valid',
    async (template) => {
      const project = join(await newFolder(), 'parks');
      const { files } = (await runJson(['new', project, '--template', template])) as { files: string[] };
      expect(files).toEqual(expect.arrayContaining(['Dockerfile', 'README.md', 'package.json']));
      for (const file of files.filter((name) => name.endsWith('.policy.json'))) {
        expect(await run(['validate', '--strict', join(project, file)])).toMatchObject({ code: 0, err: '' });
      }
    },
  );

  it('refuses a template that there is not, and names those that there are', async () => {
    const refused = await run(['new', join(folder, 'other'), '--template', 'other']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    for (const name of Object.keys(templates)) expect(refused.err).toContain(name);
    expect(await readdir(folder)).not.toContain('other');
  });

  it('refuses a folder with something in it, and a name that npm refuses', async () => {
    expect(await run(['new', folder])).toMatchObject({ code: expect.any(Number), out: '' });
    expect(await run(['new', join(folder, 'sunlight')])).toMatchObject({
      code: 3,
      err: expect.stringContaining('is not empty'),
    });
    expect(await run(['new', join(folder, 'A B')])).toMatchObject({ code: 2, err: expect.stringContaining('"A B"') });
    expect(await readdir(folder)).not.toContain('A B');
    expect(await run(['new', ''])).toMatchObject({ code: 2, err: expect.stringContaining('"" is not a valid') });
  });

  it.runIf(process.platform === 'linux')('refuses a place where no folder can be made, as unpack does', async () => {
    const refused = { code: 3, out: '', err: expect.stringContaining('/proc/blockwork cannot be created (ENOENT)') };
    const archive = join(await newFolder(), 'one.policy');
    await writeFile(archive, packArchive(new Map([['policy.json', Buffer.from('{}')]])));
    expect(await run(['new', '/proc/blockwork/parks'])).toMatchObject(refused);
    expect(await run(['unpack', archive, '/proc/blockwork/parks'])).toMatchObject(refused);
  });
});

describe('test', () => {
  it('says what is wrong with a script that is none, and exits with 3', async () => {
    const script = join(await newFolder(), 'half.scenario.json');
    await writeFile(script, JSON.stringify([{ n: 1, as: 'alice', method: 'SEND', tag: 'choose_role' }]));
    const { code, err } = await run(['test', policy, script]);
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining(`${script}: The scenario script is malformed`),
    });
  });

  it('reports each expectation that fails, and exits with 1', async () => {
    const script = join(await newFolder(), 'wrong.scenario.json');
    const steps = [
      {
        n: 1,
        as: 'alice',
        method: 'POST',
        tag: 'choose_role',
        body: { role: 'Producer' },
        expect: { available: false },
      },
    ];
    await writeFile(script, JSON.stringify(steps));
    const { code, out } = await run(['test', policy, script]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAILED {2}.*wrong\.scenario\.json: 1 failed, 1 steps\n {2}wrong\.scenario\.json, step 1, choose_role/,
    );
    expect(await runJson(['test', policy])).toMatchObject([{ steps: 6, failures: [] }]);
  });

  it('needs a script', async () => {
    const file = join(await newFolder(), 'lonely.policy.json');
    await writeFile(file, await readFile(policy));
    expect(await run(['test', file])).toMatchObject({ code: 2, err: expect.stringContaining('Name a script') });
    expect(await run(['test', join(folder, 'none.policy')])).toMatchObject({ code: 3 });
    expect(await run(['test', policy, policy])).toMatchObject({ code: expect.any(Number), out: '' });
  });
});

const archiveOf = (value: object): Uint8Array =>
  packArchive(new Map([['policy.json', Buffer.from(JSON.stringify(value))]]));

describe('pack and unpack', () => {
  it('lays files out for diffs, whatever the order in the archive', async () => {
    const here = await newFolder();
    const block = { permissions: ['OWNER'], children: [], tag: 'a', blockType: 'informationBlock' };
    await writeFile(join(here, 'one.policy'), archiveOf({ name: 'One', config: block, codeVersion: '1.5.1' }));
    expect(await runJson(['unpack', join(here, 'one.policy')])).toEqual({
      folder: join(here, 'one'),
      files: ['policy.json'],
    });
    expect(await readFile(join(here, 'one', 'policy.json'), 'utf8')).toBe(
      `${JSON.stringify({ name: 'One', codeVersion: '1.5.1', config: { blockType: 'informationBlock', tag: 'a', permissions: ['OWNER'], children: [] } }, null, 2)}\n`,
    );
    const first = await run(['pack', join(here, 'one'), join(here, 'again.policy')]);
    expect(first).toMatchObject({ code: 0, err: '' });
    const bytes = await readFile(join(here, 'again.policy'));
    await run(['pack', join(here, 'one'), join(here, 'again.policy')]);
    expect(await readFile(join(here, 'again.policy'))).toEqual(bytes);
    expect(await run(['validate', join(here, 'one')])).toMatchObject({ code: 0 });
  });

  it('replaces an earlier policy, keeps what is beside it, and overwrites nothing else', async () => {
    const here = await newFolder();
    const archive = join(here, 'p.policy');
    const target = join(here, 'p');
    const config = { blockType: 'informationBlock', tag: 'a', permissions: ['OWNER'] };
    const files = new Map([
      ['policy.json', Buffer.from(JSON.stringify({ name: 'P', config }))],
      ['schemas/a?b:c.json', Buffer.from('{"iri":"#1"}')],
    ]);
    await writeFile(archive, packArchive(files));
    await run(['unpack', archive]);
    expect(await readdir(join(target, 'schemas'))).toEqual(['a%3fb%3ac.json']);
    await mkdir(join(target, '.git'));
    await writeFile(join(target, 'schemas', 'old.json'), '{}');
    await writeFile(join(target, 'NOTES.md'), 'x');
    expect(await run(['unpack', archive])).toMatchObject({ code: 0 });
    expect((await readdir(target)).sort()).toEqual(['.git', 'NOTES.md', 'policy.json', 'schemas']);
    expect(await readdir(join(target, 'schemas'))).toEqual(['a%3fb%3ac.json']);
    const other = join(here, 'other');
    await mkdir(other);
    await writeFile(join(other, 'letter'), 'x');
    expect(await run(['unpack', archive, other])).toMatchObject({
      code: 3,
      err: expect.stringContaining('contains no policy'),
    });
    expect(await run(['pack', other])).toMatchObject({ code: 3, err: expect.stringContaining('no policy.json') });
    expect(await run(['unpack', join(other, 'letter')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('name the folder to unpack it into'),
    });
    expect(await run(['pack', target, join(here, 'none', 'p.policy')])).toMatchObject({
      code: 3,
      err: `blockwork: ${join(here, 'none')} does not exist (ENOENT).\n`,
    });
    expect(await run(['unpack', join(other, 'letter'), join(here, 'new')])).toMatchObject({
      code: 3,
      err: expect.stringContaining('zip'),
    });
  });

  it.skipIf(real === undefined).each(realFiles)('gives an equal policy: %s', async (file) => {
    const here = await newFolder();
    const name = basename(file);
    expect(await run(['unpack', file, join(here, 'folder')])).toMatchObject({ code: 0, err: '' });
    expect(await run(['pack', join(here, 'folder'), join(here, name)])).toMatchObject({ code: 0, err: '' });
    const [before, after] = [await opened(file), await opened(join(here, name))];
    expect(contentOf(after)).toEqual(contentOf(before));
    expect(JSON.stringify(contentOf(after).schemas)).toBe(JSON.stringify(contentOf(before).schemas));
    expect(await run(['diff', file, join(here, name)])).toEqual({ code: 0, out: 'No differences.\n', err: '' });
    expect(await run(['diff', file, join(here, 'folder')])).toMatchObject({ code: 0 });
  });
});

const opened = async (file: string): Promise<PolicyFile> =>
  readPolicy(await readFile(file), { blocks: standardBlocks() });

/** Everything that a policy is, without the ids that blocks without one are given anew. */
function contentOf({ about, schemas, tokens, artifacts, tree }: PolicyFile) {
  const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
    [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
  const blocks = tree.blocks.map(({ source: { id: _id, children, ...block } }) => ({
    ...block,
    children: children.length,
  }));
  return { about, blocks, schemas: byId(schemas), tokens: byId(tokens), artifacts: byId(artifacts) };
}

interface Template {
  schemas: { document: { properties: Record<string, object>; required: string[] } }[];
  config: { children: { children: Record<string, unknown>[] }[] };
  policyRoles: string[];
}

describe('diff', () => {
  const changed = async (change: (policy: Template) => void): Promise<string> => {
    const value = JSON.parse(await readFile(policy, 'utf8')) as Template;
    change(value);
    const file = join(await newFolder(), 'changed.policy.json');
    await writeFile(file, JSON.stringify(value));
    return file;
  };

  it('has nothing to say about equal policies', async () => {
    expect(await run(['diff', policy, policy])).toEqual({ code: 0, out: 'No differences.\n', err: '' });
    expect(await runJson(['diff', policy, policy])).toEqual([]);
  });

  it('says what a role can do, what is minted, and which fields changed', async () => {
    const file = await changed(({ schemas: [schema], config, policyRoles }) => {
      if (schema === undefined) return;
      schema.document.properties = { ...schema.document.properties, remark: { type: 'string', title: 'Remark' } };
      schema.document.required = ['site'];
      policyRoles.push('Auditor');
      const [, producer, registry] = config.children;
      Object.assign(producer?.children[2] ?? {}, { permissions: ['Producer', 'Auditor'] });
      Object.assign(producer ?? {}, { permissions: ['Producer', 'Auditor'] });
      Object.assign(registry?.children.at(-1) ?? {}, { rule: 'kilowattHours / 2' });
    });
    const { code, out } = await run(['diff', policy, file]);
    expect(code).toBe(1);
    expect(out).toBe(
      'Permissions of roles\n' +
        '  Auditor: is new\n' +
        '  Auditor: can now use "my_reports" (interfaceDocumentsSourceBlock)\n' +
        'Tokens and minting\n' +
        '  mint: mintDocumentBlock of token "0.0.5001" by the rule "kilowattHours" -> mintDocumentBlock of token "0.0.5001" by the rule "kilowattHours / 2"\n' +
        'Schemas\n' +
        '  Report: new field "remark" (Remark)\n' +
        '  Report: field "kilowattHours": required: true -> false\n' +
        'Blocks\n' +
        '  producer: permissions: ["Producer"] -> ["Producer","Auditor"]\n' +
        '  my_reports: permissions: ["Producer"] -> ["Producer","Auditor"]\n' +
        '  mint: rule: "kilowattHours" -> "kilowattHours / 2"\n',
    );
  });

  it('says which blocks came, went, moved or changed their kind, and which events', async () => {
    const file = await changed(({ config }) => {
      const [, producer, registry] = config.children;
      const form = producer?.children.shift();
      if (form !== undefined) registry?.children.unshift({ ...form, permissions: ['OWNER'] });
      producer?.children.push({ blockType: 'informationBlock', tag: 'help', permissions: ['Producer'] });
      Object.assign(registry?.children.find(({ tag }) => tag === 'save_rejected') ?? {}, { blockType: 'revokeBlock' });
    });
    const changes = (await runJson(['diff', policy, file]).catch(
      async () => JSON.parse((await run(['diff', policy, file, '--json'])).out) as unknown,
    )) as object[];
    expect(changes).toEqual(
      expect.arrayContaining([
        { area: 'role', name: 'Producer', change: 'can no longer use "report" (requestVcDocumentBlock)' },
        { area: 'role', name: 'owner', change: 'can now use "report" (requestVcDocumentBlock)' },
        { area: 'block', name: 'help', change: 'new informationBlock in "producer"' },
        { area: 'block', name: 'report', change: 'moved: in "producer" -> in "registry"' },
        { area: 'block', name: 'save_rejected', change: 'was a sendToGuardianBlock, is a revokeBlock' },
        { area: 'event', name: 'report', change: 'gone: RunEvent -> "save_report" RunEvent' },
      ]),
    );
  });

  it.skipIf(real === undefined)('compares every pair of neighbouring real policies', async () => {
    for (const [index, file] of realFiles.entries()) {
      const next = realFiles[(index + 1) % realFiles.length] ?? '';
      const { code, out, err } = await run(['diff', file, next]);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toContain('Blocks\n');
      expect(await run(['diff', file, file])).toMatchObject({ code: 0 });
    }
  });

  it('needs two policies that can be read', async () => {
    expect(await run(['diff', policy])).toMatchObject({ code: 2, err: expect.stringContaining('after') });
    expect(await run(['diff', policy, join(folder, 'none')])).toMatchObject({ code: 3 });
  });
});

describe('completion', () => {
  it('completes commands, subcommands and options in bash', async () => {
    const script = (await run(['completion', 'bash'])).out;
    const complete = async (line: string): Promise<string[]> => {
      const words = line.split(' ');
      const program = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _blockwork; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await promisify(execFile)('bash', ['-c', program], { cwd: await newFolder() });
      return stdout.trim().split('\n');
    };
    expect(await complete('blockwork val')).toEqual(['validate']);
    expect(await complete('blockwork store ver')).toEqual(['verify']);
    expect(await complete('blockwork graph x.policy --f')).toEqual(['--format']);
    expect(await complete('blockwork completion f')).toEqual(['fish']);
  });

  it('knows zsh and fish, and no other shell', async () => {
    expect((await run(['completion', 'zsh'])).out).toContain('bashcompinit');
    expect((await run(['completion', 'fish'])).out).toContain(
      "complete -c blockwork -n '__fish_use_subcommand' -a validate\n",
    );
    expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2 });
    expect(await runJson(['completion', 'fish'])).toMatchObject({ shell: 'fish' });
  });
});
