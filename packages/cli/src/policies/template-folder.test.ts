/** Templates of one's own: which files of a folder are offered, when they are read, and what is left out. */
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Caller, type LogFields, type Logger } from '@blockwork/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offeredTemplates } from './templates.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = (name: string) => ({
  $schema: 'https://example.org/policy.schema.json',
  name,
  description: `About ${name}.`,
  policyRoles: ['Farmer'],
  config: {
    id: '6c1f8a52-4a8e-4f57-9a5e-0f6c9bd1a3d2',
    blockType: 'interfaceContainerBlock',
    tag: 'page',
    permissions: ['ANY_ROLE'],
    children: [
      {
        id: '7c1f8a52-4a8e-4f57-9a5e-0f6c9bd1a3d2',
        blockType: 'informationBlock',
        tag: 'note',
        permissions: ['ANY_ROLE'],
      },
    ],
  },
});

describe('the templates of a folder', () => {
  let folder: string;
  let warned: LogFields[];
  const nothing = (): void => undefined;
  const logger: Logger = {
    debug: nothing,
    info: nothing,
    warn: (_, fields = {}) => warned.push(fields),
    error: nothing,
  };
  beforeEach(async () => {
    warned = [];
    folder = await mkdtemp(join(tmpdir(), 'blockwork-templates-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (file: string, content: unknown): Promise<void> =>
    writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  const opened = () => {
    const list = offeredTemplates(folder, logger);
    return async () => (await list()).filter(({ name }) => !['form-approve-mint', 'registry', 'json'].includes(name));
  };
  const names = async (list: ReturnType<typeof opened>) => (await list()).map(({ name }) => name);

  it('are named after their files and described as the policies are, beside those of the package', async () => {
    await put('farms.policy.json', policy('Farms'));
    await put('notes.txt', 'not a template');
    expect(await opened()()).toEqual([
      expect.objectContaining({ name: 'farms', title: 'Farms', description: 'About Farms.' }),
    ]);
    expect((await offeredTemplates(undefined, logger)()).map(({ name }) => name)).toContain('form-approve-mint');
    expect(warned).toEqual([]);
  });

  it('are offered by an engine, and each policy that is made from one has blocks of its own', async () => {
    await put('farms.policy.json', policy('Farms'));
    const engine = createEngine({ templates: offeredTemplates(folder, logger) });
    expect((await engine.editing.templates(owner)).map(({ name }) => name)).toContain('farms');
    const make = async (name: string) => {
      const { policy: made, findings } = await engine.editing.create(owner, { name, template: 'farms' });
      expect(findings).toEqual([]);
      return made;
    };
    const [one, other] = [await make('One'), await make('Other')];
    expect(one.name).toBe('One');
    const blockId = async ({ id }: { id: string }) => engine.findBlock(owner, id, 'note');
    expect(await blockId(one)).not.toEqual(await blockId(other));
    await engine.close();
  });

  it('replace those of the package under their names, which are offered once', async () => {
    await put('registry.policy.json', policy('Our registry'));
    const engine = createEngine({ templates: offeredTemplates(folder, logger) });
    const offered = (await engine.editing.templates(owner)).filter(({ name }) => name === 'registry');
    expect(offered).toMatchObject([{ title: 'Our registry' }]);
    await engine.close();
  });

  it('are read when they are listed, and again only after they were changed', async () => {
    const list = opened();
    expect(await names(list)).toEqual([]);
    await put('farms.policy.json', policy('Farms'));
    const [first] = await list();
    expect(first?.title).toBe('Farms');
    expect((await list())[0]).toBe(first);
    await put('farms.policy.json', policy('All the farms'));
    expect((await list())[0]?.title).toBe('All the farms');
    await rm(join(folder, 'farms.policy.json'));
    expect(await names(list)).toEqual([]);
  });

  it('leave out a file that is no policy, and say once which one and why', async () => {
    await put('broken.policy.json', '{\n  "name": \n}');
    await put('empty.policy.json', { name: 'Nothing' });
    await mkdir(join(folder, 'folder.policy.json'));
    await put('sound.policy.json', policy('Sound'));
    const list = opened();
    expect(await names(list)).toEqual(['sound']);
    await list();
    expect(warned.map(({ file, reason }) => `${String(file)}: ${String(reason)}`)).toEqual([
      expect.stringMatching(/^broken\.policy\.json: .*not valid JSON/),
      'empty.policy.json: It is no policy: it has no "config".',
      expect.stringMatching(/^folder\.policy\.json: EISDIR/),
    ]);
    await put('broken.policy.json', policy('Mended'));
    expect(await names(list)).toEqual(['broken', 'sound']);
  });

  it('are a hundred at most, and leave out a file that is too large', async () => {
    for (let count = 0; count < 102; count += 1)
      await put(`${String(count).padStart(3, '0')}.policy.json`, policy('Farms'));
    await truncate(join(folder, '001.policy.json'), 4 * 1024 * 1024 + 1);
    const list = opened();
    const offered = await names(list);
    expect(offered).not.toContain('001');
    expect(offered.length).toBe(99);
    await list();
    expect(warned).toMatchObject([{ folder, left: 2 }, { file: '001.policy.json' }]);
  });

  it('are none while their folder is away', async () => {
    const list = opened();
    await rm(folder, { recursive: true });
    expect(await names(list)).toEqual([]);
    expect(await names(list)).toEqual([]);
    expect(warned).toMatchObject([{ folder }]);
    await mkdir(folder);
    await put('farms.policy.json', policy('Farms'));
    expect(await names(list)).toEqual(['farms']);
    await rm(folder, { recursive: true });
    await list();
    expect(warned).toHaveLength(2);
  });
});
