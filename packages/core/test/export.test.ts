/** What leaves the engine as a file comes back as the same policy, module or tool. */
import { createEngine, MemoryStore, type Caller, type PolicyEngine } from '@blockwork/core';
import { unzipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { archive, policyJson, written } from './policy-fixtures.js';
import { referenceTo, tool, toolFile, useOf } from './tool-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };

const engines: PolicyEngine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

const opened = (store = new MemoryStore()): PolicyEngine => {
  const engine = createEngine({ store });
  engines.push(engine);
  return engine;
};

const jsonIn = (bytes: Uint8Array, name: string): unknown =>
  JSON.parse(new TextDecoder().decode(unzipSync(bytes)[name])) as unknown;

const files = {
  'schemas/#1&1.0.0.json': {
    iri: '#1&1.0.0',
    uuid: '1',
    name: ' Report ',
    document: { type: 'object' },
    context: { a: 1 },
  },
  'tokens/CO2.json': { tokenId: '0.0.7', tokenName: 'CO2', tokenSymbol: 'C', decimals: '2' },
  'tokens/CO2 (2).json': { tokenId: '0.0.8', tokenName: 'CO2', tokenSymbol: 'C', decimals: 0 },
  'artifacts/metadata.json': [{ name: 'table', uuid: 'f1', extention: 'json' }],
  'artifacts/f1': new Uint8Array([0, 1, 2, 255]),
  'tags/0.json': { name: 'a tag' },
  'tests/1.record': 'a recording',
  'formulas/1.json': { name: 'a formula' },
  'tools/h.json': { hash: 'h' },
};
const facts = {
  policyTag: 'Tag_1',
  instanceTopicId: null,
  policyTopics: [{ name: 'news' }],
  unheardOf: { kept: true },
};

describe('a policy', () => {
  it('is exported with everything that its archive had', async () => {
    const engine = opened();
    const config = written('interfaceContainerBlock', 'root', { custom: [1] }, written('informationBlock', 'a'));
    const { policy } = await engine.importPolicy(
      owner,
      archive({ ...files, 'policy.json': policyJson(config, facts) }),
    );
    const bytes = await engine.exportPolicy(owner, policy.id);
    const entries = unzipSync(bytes);
    expect(Object.keys(entries).sort()).toEqual(
      ['policy.json', ...Object.keys(files)].map((name) => name.replace('CO2 (2)', 'CO2_2')).sort(),
    );
    for (const name of [
      'schemas/#1&1.0.0.json',
      'tokens/CO2.json',
      'artifacts/metadata.json',
      'tags/0.json',
    ] as const) {
      expect(jsonIn(bytes, name)).toEqual(files[name]);
    }
    expect(jsonIn(bytes, 'tokens/CO2_2.json')).toEqual(files['tokens/CO2 (2).json']);
    expect(entries['artifacts/f1']).toEqual(files['artifacts/f1']);
    expect(new TextDecoder().decode(entries['tests/1.record'])).toBe('a recording');
    const json = jsonIn(bytes, 'policy.json') as Record<string, unknown>;
    expect(json).toMatchObject({
      name: 'Test policy',
      unheardOf: { kept: true },
      config: { tag: 'root', custom: [1] },
    });
    for (const local of ['id', 'status', 'messageId', 'topicId', 'createDate']) expect(json).not.toHaveProperty(local);
  });

  it('keeps each document of a schema as it is, with its order, unknown keywords and empty defaults', async () => {
    const document = {
      type: 'object',
      'x-note': { z: 1, a: 2 },
      properties: {
        z: { default: 0, templateFieldId: 'f1' },
        a: { default: false, $comment: '{"orderPosition":1}' },
        m: { default: '', minLength: 0 },
      },
      allOf: [{ if: { not: { required: ['z'] } }, then: { allOf: [{ required: ['a'] }] } }],
      required: [],
    };
    const engine = opened();
    const form = { iri: '#2', uuid: '2', name: 'Form', document };
    const file = archive({
      'schemas/#2.json': form,
      'policy.json': policyJson(written('interfaceContainerBlock', 'root')),
    });
    const { policy } = await engine.importPolicy(owner, file);
    const exported = await engine.exportPolicy(owner, policy.id);
    const again = await engine.importPolicy(owner, exported);
    for (const bytes of [exported, await engine.exportPolicy(owner, again.policy.id)]) {
      const { document: exported } = jsonIn(bytes, 'schemas/#2.json') as { document: object };
      expect(JSON.stringify(exported)).toBe(JSON.stringify(document));
    }
  });

  it('gives the same bytes each time', async () => {
    const engine = opened();
    const { policy } = await engine.importPolicy(owner, archive({ ...files, 'policy.json': policyJson() }));
    expect(await engine.exportPolicy(owner, policy.id)).toEqual(await engine.exportPolicy(owner, policy.id));
  });

  it('given as JSON keeps what its dependencies mean', async () => {
    const engine = opened();
    const form = written('informationBlock', 'after', { dependencies: ['first'] });
    const config = written('interfaceContainerBlock', '', {}, written('informationBlock', 'first'), form);
    const { policy } = await engine.importPolicy(owner, policyJson(config));
    const back = await engine.importPolicy(owner, await engine.exportPolicy(owner, policy.id));
    const { config: importedConfig } = await engine.getPolicy(owner, back.policy.id);
    expect(importedConfig).toMatchObject({ children: [{}, { tag: 'after', dependencies: ['first'], events: [] }] });
    expect(back.policy).not.toHaveProperty('dependenciesMean');
  });

  it('may have names that no entry of an archive can have', async () => {
    const engine = opened();
    const tokens = ['../../x', '../../x', 'a\\b', ''].map((tokenName, at) => ({
      tokenId: `0.0.${String(at)}`,
      tokenName,
    }));
    const schemas = [{ iri: 'https://example.org/a?b', name: 'A', document: { type: 'object' } }];
    const { policy } = await engine.importPolicy(owner, { ...policyJson(), tokens, schemas });
    const { findings } = await engine.importPolicy(owner, await engine.exportPolicy(owner, policy.id));
    expect(findings).toEqual([]);
  });

  it('with a large entry that packs closely is imported again', async () => {
    const engine = opened();
    const content = new Uint8Array(3 * 1024 * 1024);
    const packed = archive({ 'policy.json': policyJson(), 'artifacts/f1': new Uint8Array([1]) });
    const generous = createEngine({ policyFileLimits: { ratio: 100_000 } });
    engines.push(generous);
    const { policy } = await generous.importPolicy(
      owner,
      archive({ 'policy.json': policyJson(), 'artifacts/f1': content }),
    );
    await expect(engine.importPolicy(owner, packed)).resolves.toBeDefined();
    await expect(engine.importPolicy(owner, await generous.exportPolicy(owner, policy.id))).resolves.toBeDefined();
  });

  it('is its owner’s alone', async () => {
    const engine = opened();
    const { policy } = await engine.importPolicy(owner, policyJson());
    await expect(engine.exportPolicy(other, policy.id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await expect(engine.exportPolicy({ did: owner.did, role: 'USER' }, policy.id)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(engine.exportPolicy(owner, 'gone')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });
});

describe('tools', () => {
  const inner = toolFile(tool('I', {}, written('informationBlock', 'first')), {}, { name: 'Inner' });
  const outer = toolFile(tool('O', { events: [] }, useOf('nested', 'm-inner')), { 'tags/0.json': {} });
  const using = archive({
    'policy.json': policyJson(written('interfaceContainerBlock', '', {}, useOf('T', 'm-outer'))),
  });

  async function exported(): Promise<Uint8Array> {
    const engine = opened();
    await engine.tools.import(owner, inner, referenceTo('m-inner'));
    await engine.tools.import(owner, outer, referenceTo('m-outer'));
    const { policy } = await engine.importPolicy(owner, using);
    return engine.exportPolicy(owner, policy.id);
  }

  it('travel with the policy that refers to them, and with those that refer to others', async () => {
    const bytes = await exported();
    const engine = opened();
    const { policy, findings } = await engine.importPolicy(owner, bytes);
    expect(findings.map(({ code }) => code)).not.toContain('TOOL_MISSING');
    expect((await engine.tools.list(owner)).map(({ messageId }) => messageId)).toEqual(['m-outer', 'm-inner']);
    expect(await engine.findBlock(owner, policy.id, 'T:nested:first')).toMatchObject({
      uuid: expect.any(String) as string,
    });
    expect(await engine.tools.export(owner, referenceTo('m-outer'))).toEqual(Buffer.from(outer));
  });

  it('are described as the reference does, beside the files that it does not read', async () => {
    const names = Object.keys(unzipSync(await exported()));
    expect(names.filter((name) => name.startsWith('tools/'))).toEqual([
      'tools/hash of m-outer.json',
      'tools/hash of m-inner.json',
    ]);
    expect(names).toContain('tool-files/0.tool');
  });

  it('that are here already under the same names stay, with a finding', async () => {
    const bytes = await exported();
    const engine = opened();
    const mine = toolFile(tool('I', {}, written('informationBlock', 'mine')));
    await engine.tools.import(owner, mine, referenceTo('m-inner'));
    const { findings } = await engine.importPolicy(owner, bytes);
    expect(
      findings
        .filter(({ code }) => code === 'FILE_IGNORED')
        .map(({ message }) => message)
        .join(),
    ).toContain('is not imported: Another tool');
    expect(await engine.tools.export(owner, referenceTo('m-inner'))).toEqual(Buffer.from(mine));
  });

  it('of an archive that its policy does not refer to are left out', async () => {
    const list = [{ ...referenceTo('m-inner'), file: 'tool-files/0.tool' }, { messageId: 1 }];
    const engine = opened();
    const { findings } = await engine.importPolicy(
      owner,
      archive({ 'policy.json': policyJson(), 'tool-files/metadata.json': list, 'tool-files/0.tool': inner }),
    );
    expect(await engine.tools.list(owner)).toEqual([]);
    expect(findings).toMatchObject([{ code: 'FILE_IGNORED' }]);
  });

  it('that nobody imported cannot be exported', async () => {
    await expect(opened().tools.export(owner, referenceTo('x'))).rejects.toMatchObject({ code: 'TOOL_UNKNOWN' });
  });
});

describe('a module', () => {
  const variables = [
    { name: 'Form', type: 'Schema', baseSchema: '#1' },
    { name: 'Role', type: 'Role' },
  ];
  const module = written(
    'module',
    'M',
    { name: 'Registration', variables, Form: '#2' },
    written('informationBlock', 'in'),
  );

  it('is exported with the schemas of its variables, and imported again', async () => {
    const engine = opened();
    const schemas = ['#1', '#2', '#3'].map((iri) => ({ iri, name: iri, document: { type: 'object' } }));
    const config = written('interfaceContainerBlock', '', {}, module);
    const { policy } = await engine.importPolicy(owner, { ...policyJson(config), schemas });
    const bytes = await engine.exportModule(owner, policy.id, 'M');
    expect(Object.keys(unzipSync(bytes))).toEqual(['module.json', 'schemas/#1.json', 'schemas/#2.json']);
    expect(jsonIn(bytes, 'module.json')).toMatchObject({ name: 'Registration', config: { tag: 'M', variables } });
    const back = await engine.importPolicy(owner, bytes);
    expect(await engine.exportModule(owner, back.policy.id, 'M')).not.toHaveLength(0);
  });

  it('is one of the policy', async () => {
    const engine = opened();
    const { policy } = await engine.importPolicy(owner, policyJson());
    await expect(engine.exportModule(owner, policy.id, 'M')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
  });
});

it('keeps the IRI by which a file names its project schema, and shows its UUID', async () => {
  const uuid = '44444444-4444-4444-8444-444444444444';
  for (const [projectSchema, shown] of [
    [`#${uuid}&1.0.0`, uuid],
    [`#${uuid}`, uuid],
    [uuid, uuid],
    ['#no uuid', '00000000-0000-0000-0000-000000000000'],
  ] as const) {
    const engine = opened();
    const { policy } = await engine.importPolicy(
      owner,
      archive({ 'policy.json': policyJson(undefined, { projectSchema }) }),
    );
    expect(policy.projectSchema).toBe(shown);
    const exported = jsonIn(await engine.exportPolicy(owner, policy.id), 'policy.json');
    if (shown === uuid) expect(exported).toMatchObject({ projectSchema });
    else expect(exported).not.toHaveProperty('projectSchema');
    expect(exported).not.toHaveProperty('projectSchemaIri');
  }
});
