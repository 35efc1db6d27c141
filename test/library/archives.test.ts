/** Published policies and modules that the environment names: imported, tried, and published; a third of them, and all in a thorough run. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryStore, type Caller, type Finding, type PolicyEngine } from '@blockwork/core';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { library } from './library.js';
import { someOf } from '../support/repetitions.js';

const realPolicies = process.env['BLOCKWORK_REAL_POLICIES'];
if (realPolicies === undefined) {
  process.stderr.write('Skipped: tests over real policies. BLOCKWORK_REAL_POLICIES names no folder of them.\n');
}

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

const filesIn = (folder: string | undefined, ending: string): string[] =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .map((name) => join(folder, name));

const inLibrary = (kind: string): string | undefined => (library === undefined ? undefined : join(library, kind));

const policies = [...filesIn(realPolicies, '.policy'), ...filesIn(inLibrary('policies'), '.policy')];
const modules = filesIn(inLibrary('modules'), '.module');
const named = (paths: readonly string[]) => paths.map((path) => ({ path, name: basename(path) }));

let engine: PolicyEngine;
beforeAll(() => {
  engine = createEngine({ blocks: standardBlocks() });
});
afterAll(() => engine.close());

const imported = async (path: string) => engine.importPolicy(owner, new Uint8Array(readFileSync(path)));

const errorsAmong = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, path }) => `${code} ${path} ${message}`);

describe.skipIf(policies.length + modules.length === 0)('published archives', () => {
  it.each(named(someOf([...policies, ...modules], 3)))('$name is imported, tried and published', async ({ path }) => {
    const { policy } = await imported(path);
    const findings = await engine.getFindings(owner, policy.id);
    const unknown = findings.filter(({ code }) => code === 'BLOCK_TYPE_UNKNOWN').map(({ message }) => message);
    expect(unknown).toEqual([]);

    const trial = await engine.lifecycle.dryRun(owner, policy.id);
    expect(errorsAmong(trial.findings)).toEqual([]);
    expect(trial).toMatchObject({ isValid: true, policy: { status: 'DRY-RUN' } });
    const published = await engine.lifecycle.publish(owner, policy.id, '9.0.0');
    expect(published).toMatchObject({ isValid: true, policy: { status: 'PUBLISH', version: '9.0.0' } });
  });
});

describe.skipIf(policies.length === 0)('the definition of a published archive', () => {
  it.each(named(policies))('$name is put back without a change, and checked as it is stored', async ({ path }) => {
    const { id } = (await imported(path)).policy;
    const { definition, revision } = await engine.editing.read(owner, id);
    const replaced = await engine.editing.replace(owner, id, structuredClone(definition), { ifMatch: revision });
    expect(replaced).toEqual({ revision, edit: null });
    const nothing = [{ op: 'setText', name: 'description', value: definition.description }];
    expect(await engine.editing.check(owner, id, nothing)).toEqual(await engine.getFindings(owner, id));
  });
});

/** Without ids of blocks, which are new with each import. */
const withoutIds = (block: Record<string, unknown>): unknown => {
  const { id: _, children, ...rest } = block;
  return { ...rest, children: (children as Record<string, unknown>[]).map(withoutIds) };
};

/** What a policy is, apart from what each import makes anew. */
async function contents(store: MemoryStore, of: PolicyEngine, policyId: string): Promise<unknown> {
  const { config, ...record } = await of.getPolicy(owner, policyId);
  const own = ['id', 'uuid', 'policyTag', 'topicId', 'messageId', 'createDate', 'version'];
  const kinds = ['schema', 'token', 'artifact', 'archive-file'] as const;
  return {
    record: Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name))),
    config: withoutIds(config ?? { children: [] }),
    parts: await Promise.all(kinds.map((kind) => store.find(kind, policyId))),
  };
}

/** The files of an archive beside the policy itself, which has ids of its own, each by its digest. */
const partsOf = (archive: Uint8Array): [name: string, digest: string][] =>
  Object.entries(unzipSync(archive))
    .filter(([name]) => name !== 'policy.json')
    .map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]);

describe.skipIf(policies.length === 0)('published archives, exported', () => {
  it.each(named(someOf(policies, 3)))('$name gives an equal policy, and the same file again', async ({ path }) => {
    const [first, second] = [new MemoryStore(), new MemoryStore()];
    const [here, there] = [createEngine({ store: first }), createEngine({ store: second })];
    const { policy } = await here.importPolicy(owner, new Uint8Array(readFileSync(path)));
    const bytes = await here.exportPolicy(owner, policy.id);
    const { policy: back, findings } = await there.importPolicy(owner, bytes);
    expect(findings.filter(({ code }) => code === 'MIGRATED' || code === 'SCHEMA_UNREADABLE')).toEqual([]);
    expect(await contents(second, there, back.id)).toEqual(await contents(first, here, policy.id));

    expect(partsOf(await there.exportPolicy(owner, back.id))).toEqual(partsOf(bytes));
    await Promise.all([here.close(), there.close()]);
  });
});

describe.skipIf(modules.length === 0)('published modules, exported', () => {
  it.each(named(someOf(modules, 3)))('$name gives an equal module', async ({ path }) => {
    const moduleOf = (bytes: Uint8Array): Record<string, unknown> => {
      const json = new TextDecoder().decode(unzipSync(bytes)['module.json']);
      return (JSON.parse(json) as { config: Record<string, unknown> }).config;
    };
    const file = new Uint8Array(readFileSync(path));
    const tag = String(moduleOf(file)['tag']);
    const once = await engine.importPolicy(owner, file);
    const exported = await engine.exportModule(owner, once.policy.id, tag);
    const again = await engine.importPolicy(owner, exported);
    const twice = await engine.exportModule(owner, again.policy.id, tag);
    expect(withoutIds(moduleOf(twice))).toEqual(withoutIds(moduleOf(exported)));
    const names = (block: Record<string, unknown>): unknown => [
      block['blockType'],
      block['tag'] ?? '',
      (block['children'] as Record<string, unknown>[]).map(names),
    ];
    expect(names(moduleOf(exported))).toEqual(names(moduleOf(file)));
  });
});

interface Written {
  readonly blockType: string;
  readonly tag?: string;
  readonly messageId?: string;
  readonly hash?: string;
  readonly children?: readonly Written[];
  readonly [member: string]: unknown;
}

const toolsIn = (block: Written): Written[] => [
  ...(block.blockType === 'tool' ? [block] : []),
  ...(block.children ?? []).flatMap(toolsIn),
];

/** A `.tool` file with the ports and variables that a policy says the tool has, and one block within. */
function standIn({ tag = '', variables, inputEvents, outputEvents }: Written): Uint8Array {
  const ports = { variables, inputEvents, outputEvents };
  const child = { blockType: 'interfaceContainerBlock', tag: 'inside', permissions: ['ANY_ROLE'], children: [] };
  const config = { blockType: 'tool', tag, permissions: ['ANY_ROLE'], ...ports, children: [child], events: [] };
  const json = JSON.stringify({ name: tag, description: 'Stands in', config, tools: [] });
  return zipSync({ 'tool.json': new TextEncoder().encode(json) });
}

const withTools = policies.filter((path) => {
  const json = new TextDecoder().decode(unzipSync(new Uint8Array(readFileSync(path)))['policy.json']);
  return toolsIn((JSON.parse(json) as { config: Written }).config).length > 0;
});

describe.skipIf(withTools.length === 0)('a published archive that refers to tools', () => {
  it.each(named(someOf(withTools, 3)))(
    '$name carries them once they are here, and needs nothing else then',
    async ({ path }) => {
      const [here, there] = [createEngine({ blocks: standardBlocks() }), createEngine({ blocks: standardBlocks() })];
      const { policy } = await here.importPolicy(owner, new Uint8Array(readFileSync(path)));
      const { config } = await here.getPolicy(owner, policy.id);
      const used = new Map(toolsIn(config as unknown as Written).map((tool) => [tool.messageId ?? '', tool]));
      for (const [messageId, tool] of used) {
        await here.tools.import(owner, standIn(tool), { messageId, hash: tool.hash ?? '' });
      }
      const bytes = await here.exportPolicy(owner, policy.id);
      const { policy: back } = await there.importPolicy(owner, bytes);
      const findings = await there.getFindings(owner, back.id);
      expect(findings.filter(({ code }) => code === 'TOOL_MISSING')).toEqual([]);
      expect((await there.lifecycle.dryRun(owner, back.id)).isValid).toBe(true);
      expect(partsOf(await there.exportPolicy(owner, back.id))).toEqual(partsOf(bytes));
      for (const [messageId, { hash = '' }] of used) {
        const [mine, theirs] = await Promise.all(
          [here, there].map((each) => each.tools.export(owner, { messageId, hash })),
        );
        expect(theirs).toEqual(mine);
        const alone = createEngine({ blocks: standardBlocks() });
        await alone.tools.import(owner, mine ?? new Uint8Array(), { messageId, hash });
        expect(await alone.tools.export(owner, { messageId, hash })).toEqual(mine);
        await alone.close();
      }
      await Promise.all([here.close(), there.close()]);
    },
  );
});

describe.skipIf(library === undefined)('a policy whose archive lacks something', () => {
  it('runs without its tools, each of which is a finding', async () => {
    const { policy } = await imported(join(inLibrary('policies') ?? '', 'verra-vm0038.policy'));
    const missing = (await engine.getFindings(owner, policy.id)).filter(({ code }) => code === 'TOOL_MISSING');
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.every(({ severity }) => severity === 'warning')).toBe(true);
  });

  it('runs without a schema or token that it names, which is a warning at the option', async () => {
    const { policy } = await imported(join(inLibrary('policies') ?? '', 'vm0038.policy'));
    const missing = (await engine.getFindings(owner, policy.id)).filter(({ code }) => code === 'REFERENCE_UNKNOWN');
    expect(missing.map(({ severity, tag, path }) => [severity, tag, path.split('/').at(-1)])).toEqual([
      ['warning', 'mintToken', 'tokenId'],
      ['warning', 'calculate_project_fields', 'outputSchema'],
      ['warning', 'calculate_report_fields', 'outputSchema'],
    ]);
    expect(missing[0]?.message).toContain('its archive came without that token');
  });
});
