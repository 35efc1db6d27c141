/** The commands that look at policies, as programs: output, JSON, exit codes and errors. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packArchive, readPolicy } from '@blockwork/core/files';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();

const form = { blockType: 'interfaceStepBlock', tag: 'steps', permissions: ['Applicant'] };
const config = {
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  children: [
    { blockType: 'policyRolesBlock', tag: 'choose_role', permissions: ['NO_ROLE'], roles: ['Applicant'] },
    {
      ...form,
      children: [
        { blockType: 'informationBlock', tag: 'welcome', permissions: ['Applicant'] },
        { blockType: 'informationBlock', tag: 'done', permissions: ['Applicant'], dependencies: ['welcome'] },
      ],
    },
    { blockType: 'informationBlock', tag: 'office', permissions: ['OWNER'] },
  ],
};
const policy = { name: 'Parks', policyRoles: ['Applicant'], config };

let good: string;
let bad: string;
let broken: string;

beforeAll(async () => {
  const folder = await newFolder();
  [good, bad, broken] = [
    join(folder, 'good.policy.json'),
    join(folder, 'bad.policy.json'),
    join(folder, 'broken.json'),
  ];
  await writeFile(good, JSON.stringify(policy));
  const unknown = { blockType: 'teleportBlock', tag: 'beam', permissions: ['Ghost'] };
  await writeFile(bad, JSON.stringify({ ...policy, config: { ...config, children: [unknown] } }));
  await writeFile(broken, '{ "name": ');
});

describe('validate', () => {
  it('is silent about a good policy but for a line', async () => {
    expect(await run(['validate', good])).toEqual({
      code: 0,
      out: `${good}: "Parks", 6 blocks, 0 errors, 0 warnings\n`,
      err: '',
    });
  });

  it('lists findings with their places, and exits with 1', async () => {
    const { code, out } = await run(['validate', good, bad]);
    expect(code).toBe(1);
    expect(out).toMatch(/error {8}BLOCK_TYPE_UNKNOWN {2}beam: .*teleportBlock/);
  });

  it('says where findings are in the file, with or without comments in it', async () => {
    const folder = await newFolder();
    const file = join(folder, 'placed.policy.json');
    const text = `// hand-written
{
  "name": "Parks", "config": {
    "blockType": "interfaceContainerBlock", "permissions": ["ANY_ROLE"], "tag": "root",
    "children": [
      { "blockType": "teleportBlock", "tag": "beam" }, // not there yet
    ],
  },
  "schemas": [],
}`;
    await writeFile(file, text);
    const { code, out } = await run(['validate', file]);
    expect(code).toBe(1);
    expect(out).toContain(`  ${file}:6:7  error        BLOCK_TYPE_UNKNOWN  beam: `);
    const [first] = (await runJson(['validate', file])) as { findings: unknown[] }[];
    expect(first?.findings).toContainEqual(expect.objectContaining({ tag: 'beam', line: 6, column: 7 }));

    const unpacked = join(folder, 'policy.json');
    await writeFile(unpacked, text);
    expect((await run(['validate', folder])).out).toContain(`  ${unpacked}:6:7  error `);
    const packed = join(folder, 'placed.policy');
    expect((await run(['pack', file, packed])).code).toBe(0);
    expect((await run(['validate', packed])).out).toMatch(/placed\.policy\/policy\.json:\d+:\d+ {2}error /);
  });

  it('prints findings as JSON', async () => {
    const [first] = (await runJson(['validate', bad])) as { findings: unknown[] }[];
    expect(first).toMatchObject({ policy: bad, name: 'Parks', errors: 2 });
    expect(first?.findings).toContainEqual(expect.objectContaining({ code: 'BLOCK_TYPE_UNKNOWN', tag: 'beam' }));
  });

  it('counts warnings only when told to be strict', async () => {
    const file = join(await newFolder(), 'warned.policy.json');
    const child = { blockType: 'informationBlock', permissions: ['Applicant'] };
    await writeFile(file, JSON.stringify({ ...policy, config: { ...config, children: [child] } }));
    expect(await run(['validate', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining('TAG_MISSING'),
    });
    expect((await run(['validate', file, '--strict'])).code).toBe(1);
  });

  it('counts hints as neither errors nor warnings, even when strict', async () => {
    const file = join(await newFolder(), 'hinted.policy.json');
    const button = { blockType: 'buttonBlock', tag: 'go', permissions: ['Applicant'], field: 'unused' };
    await writeFile(file, JSON.stringify({ ...policy, config: { ...config, children: [button] } }));
    const { code, out } = await run(['validate', file, '--strict']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('0 errors, 0 warnings') });
    expect(out).toContain('information  OPTION_IGNORED');
  });

  it('reads JSON with a byte order mark, and says in one line where JSON is broken', async () => {
    const folder = await newFolder();
    const [marked, cut] = [join(folder, 'marked.policy.json'), join(folder, 'cut.policy.json')];
    await writeFile(marked, `\uFEFF${JSON.stringify(policy)}`);
    await writeFile(cut, '{ "name": "Parks",\n  oops }\n');
    expect((await run(['validate', marked])).code).toBe(0);
    const { err } = await run(['validate', cut]);
    expect(err).toMatch(/cut\.policy\.json is not valid JSON: [^\n]+ at line 2, column 3\n$/);
    await writeFile(cut, 'no\nJSON\n');
    expect((await run(['validate', cut])).err).toMatch(
      /cut\.policy\.json is not valid JSON: [^\n]*no JSON[^\n]*"\s*\n$/,
    );
  });

  it('says which file it cannot read, and why', async () => {
    const missing = join(await newFolder(), 'none.policy');
    expect(await run(['validate', missing])).toEqual({
      code: 3,
      out: '',
      err: `blockwork: ${missing} does not exist (ENOENT).\n`,
    });
    expect(await run(['validate', broken])).toMatchObject({
      code: 3,
      err: expect.stringContaining('broken.json is not valid JSON'),
    });
    const { code, err } = await run(['validate', missing, '--json']);
    expect({ code, error: JSON.parse(err) as unknown }).toMatchObject({ code: 3, error: { error: 'ENOENT' } });
  });

  it('checks the others where one cannot be read, and names all that cannot', async () => {
    const missing = join(await newFolder(), 'none.policy');
    const { code, out, err } = await run(['validate', missing, good, broken, bad]);
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringMatching(/^blockwork: .*none\.policy does not exist.*\n.*broken\.json is not valid JSON.*\n$/),
    });
    expect(out.startsWith(`${good}: `)).toBe(true);
    expect(out).toContain(`${bad}: `);
  });

  it('needs a file', async () => {
    expect(await run(['validate'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining("'policies'") });
  });
});

describe('explore', () => {
  const choice = { ...config.children[0], defaultActive: true };
  let open: string;
  beforeAll(async () => {
    open = join(await newFolder(), 'open.policy.json');
    await writeFile(open, JSON.stringify({ ...policy, config: { ...config, children: [choice] } }));
  });

  it('plays a policy, says what it reached, and exits with 0 where nothing is wrong', async () => {
    const { code, out, err } = await run(['explore', open, 'nobody mints', '--steps', '20', '--users', '2']);
    expect(out).toContain('"Parks": ');
    expect(out).toContain('held: nobody mints');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('exits with 1 where an invariant is broken, and prints the way there as a scenario', async () => {
    const arguments_ = ['explore', open, 'nobody uses choose_role', '--steps', '20', '--seed', '3'];
    expect((await run(arguments_)).code).toBe(1);
    const report = (await runJson(arguments_)) as { invariants: { held: boolean; scenario: { tag: string }[] }[] };
    expect(report.invariants).toMatchObject([{ held: false, scenario: [{ tag: 'choose_role' }] }]);
  });

  it('refuses numbers and sentences that it does not understand', async () => {
    expect(await run(['explore', open, '--steps', 'many'])).toMatchObject({ code: 2 });
    const { code, err } = await run(['explore', open, 'all is well']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^blockwork: The invariant "all is well"/) });
  });
});

describe('graph', () => {
  it('draws the tree with roles and events', async () => {
    const { code, out } = await run(['graph', good]);
    expect(code).toBe(0);
    expect(out).toContain('├─ choose_role  policyRolesBlock  [NO_ROLE]');
    expect(out).toContain('│  ├─ welcome  informationBlock  [Applicant]  { RunEvent -> done }');
    expect(out).toContain('└─ office  informationBlock  [OWNER]\n');
  });

  it.each([
    ['mermaid', /^flowchart LR\n {2}b0\["root<br>interfaceContainerBlock"\]/],
    ['dot', /^digraph policy \{[^]*b3 -> b4 \[label="RunEvent"/],
    ['svg', /^<svg [^]*<title id="title">Parks<\/title>[^]*welcome[^]*<\/svg>\n$/],
  ])('draws %s', async (format, picture) => {
    expect(await run(['graph', good, '--format', format])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(picture),
    });
  });

  it('prints the graph itself as JSON', async () => {
    expect(await runJson(['graph', good])).toMatchObject({
      name: 'Parks',
      roles: ['Applicant'],
      blocks: [{ tag: 'root', parent: null, depth: 0 }, {}, {}, {}, {}, {}],
      links: expect.arrayContaining([{ from: 3, output: 'RunEvent', to: 4, input: 'RunEvent' }]),
    });
  });

  it('knows no other format', async () => {
    expect(await run(['graph', good, '--format', 'pdf'])).toMatchObject({ code: 2, err: expect.stringMatching('svg') });
  });

  it('divides what is too large for one flowchart', async () => {
    const page = (name: string): object => ({
      blockType: 'interfaceContainerBlock',
      tag: name,
      permissions: ['OWNER'],
      children: Array.from({ length: 100 }, (_, at) => ({
        blockType: 'informationBlock',
        tag: `${name}${at}`,
        permissions: ['OWNER'],
      })),
    });
    const file = join(await newFolder(), 'large.policy.json');
    await writeFile(file, JSON.stringify({ ...policy, config: { ...config, children: [page('a'), page('b')] } }));
    const { out } = await run(['graph', file, '-f', 'mermaid']);
    expect(out.match(/```mermaid/g)).toHaveLength(3);
    expect(out).toContain('## b\n');
  });
});

describe('a policy that cannot be opened', () => {
  it('is named, also where a command takes several', async () => {
    const empty = join(await newFolder(), 'empty.policy.json');
    await writeFile(empty, '{}');
    for (const argv of [
      ['diff', good, empty],
      ['validate', good, empty],
    ]) {
      const { code, err } = await run(argv);
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`blockwork: ${empty}: The policy file `) });
    }
  });

  it('is looked for in a folder that holds policies: they are named', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'parks.policy.json'), JSON.stringify(policy));
    for (const command of ['validate', 'graph', 'test']) {
      const { code, err } = await run([command, folder]);
      expect(code, command).toBe(3);
      expect(err, command).toContain(`It contains ${join(folder, 'parks.policy.json')}: name that file.`);
    }
    expect((await run(['validate', await newFolder()])).err).toMatch(/has no policy\.json, so it is not a policy\.\n$/);
  });

  it.each([
    ['module', 'It contains module.json: it is a module, which'],
    ['tool', 'It contains tool.json: it is a tool, which'],
  ])('is not unpacked from a %s, which is called so', async (kind, says) => {
    const file = join(await newFolder(), `a.${kind}`);
    await writeFile(file, packArchive(new Map([[`${kind}.json`, new TextEncoder().encode('{}')]])));
    const { code, err } = await run(['unpack', file, join(await newFolder(), 'out')]);
    expect(code).toBe(3);
    expect(err).toContain(says);
  });
});

describe('explain', () => {
  it('says who is let in, from the root down, and what has to happen first', async () => {
    const { code, out } = await run(['explain', good, 'done', '--as', 'Applicant']);
    expect(code).toBe(0);
    expect(out).toBe(
      '"done" (informationBlock): Applicant may use it once the conditions are met.\n' +
        'Permissions, from the root down:\n' +
        '  yes  root (interfaceContainerBlock): for ANY_ROLE\n' +
        '  yes  steps (interfaceStepBlock): for Applicant\n' +
        '  yes  done (informationBlock): for Applicant\n' +
        'Conditions:\n' +
        '  "steps" has to be at its child "done"\n' +
        '  "welcome" has to be completed first\n' +
        'Events that reach it:\n' +
        '  "welcome": RunEvent -> RunEvent\n',
    );
  });

  it.each([
    ['office', 'owner', 'the owner may use it at any time'],
    ['choose_role', 'nobody', 'a user without a role may use it at any time'],
    ['office', 'nobody', 'a user without a role may not use it'],
  ])('%s for %s: %s', async (block, as, verdict) => {
    expect((await run(['explain', good, block, '--as', as])).out).toContain(`: ${verdict}.\n`);
  });

  it.each([
    ['office', 'owner', 0, 'allowed'],
    ['office', 'Applicant', 1, 'forbidden'],
    ['choose_role', 'nobody', 0, 'allowed'],
    ['welcome', 'owner', 1, 'forbidden'],
  ])('%s for %s ends with %d', async (block, as, code, outcome) => {
    const { out, ...ended } = await run(['explain', good, block, '--as', as, '--json']);
    expect({ ...ended, ...(JSON.parse(out) as object) }).toMatchObject({ code, err: '', outcome, as });
  });

  it('knows the roles and the blocks of the policy', async () => {
    const role = await run(['explain', good, 'done', '--as', 'King']);
    expect(role).toMatchObject({ code: 2, err: expect.stringContaining('"owner", "nobody", "Applicant"') });
    const block = await run(['explain', good, 'WELC', '--as', 'owner']);
    expect(block).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean welcome?') });
    expect(await run(['explain', good, 'done'])).toMatchObject({ code: 2, err: expect.stringContaining('--as') });
  });
});

const real = process.env['BLOCKWORK_REAL_POLICIES'];

describe.skipIf(real === undefined)('over the real policies (BLOCKWORK_REAL_POLICIES)', async () => {
  const files = real === undefined ? [] : (await readdir(real)).filter((name) => name.endsWith('.policy'));

  it.each(files)('%s has no errors, and every picture of it can be drawn', async (file) => {
    const path = join(real ?? '', file);
    expect(await run(['validate', path])).toMatchObject({ code: 0, err: '' });
    const graph = (await runJson(['graph', path])) as { blocks: unknown[]; links: unknown[] };
    expect(graph.blocks.length).toBeGreaterThan(20);
    for (const format of ['tree', 'mermaid', 'dot', 'svg']) {
      const { code, out } = await run(['graph', path, '--format', format]);
      expect(code).toBe(0);
      expect(out.length).toBeGreaterThan(1000);
    }
    const svg = (await run(['graph', path, '--format', 'svg'])).out;
    expect(svg.match(/<path class="link"/g)).toHaveLength(graph.links.length);
    expect(svg.match(/<circle/g)).toHaveLength(graph.blocks.length + 8);
    const places = svg.match(/<text class="output" x="\d+" y="[\d.]+"/g) ?? [];
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('pack', () => {
  const byHand = {
    ...policy,
    $schema: './policy.schema.json',
    schemas: [{ iri: '#form', name: 'Form', document: { $id: '#form', type: 'object', properties: {} } }],
    tokens: [{ tokenId: '0.0.1', tokenName: 'Sun', tokenSymbol: 'SUN', decimals: 0 }],
  };
  it.each(['a file', 'a folder'])('drops nothing of %s that was written by hand', async (kind) => {
    const folder = await newFolder();
    const source = kind === 'a file' ? join(folder, 'parks.policy.json') : folder;
    await writeFile(kind === 'a file' ? source : join(folder, 'policy.json'), JSON.stringify(byHand));
    const archive = join(folder, 'parks.policy');
    expect((await run(['pack', source, archive])).code).toBe(0);
    const { schemas, tokens, findings } = await readPolicy(await readFile(archive));
    expect([schemas.map(({ id }) => id), tokens.map(({ id }) => id)]).toEqual([['#form'], ['0.0.1']]);
    expect(findings).toEqual((await readPolicy(byHand)).findings.filter(({ code }) => code !== 'FILE_IGNORED'));
  });

  it('refuses an archive, and text that is no JSON', async () => {
    const folder = await newFolder();
    const archive = join(folder, 'done.policy');
    await writeFile(archive, packArchive(new Map([['policy.json', Buffer.from('{}')]])));
    for (const source of [archive, broken]) expect((await run(['pack', source, join(folder, 'x')])).code).toBe(3);
  });
});
