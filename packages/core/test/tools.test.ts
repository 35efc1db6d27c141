/** Tools in a whole engine: a policy works with those that are here, and says which are not. */
import {
  createEngine,
  MemoryStore,
  type Caller,
  type EngineOptions,
  type PolicyEngine,
  type ToolSource,
} from '@blockwork/core';
import { defineBlock, documentsIn, type DocumentInput } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { link, written } from './policy-fixtures.js';
import { referenceTo, tool, toolFile, useOf } from './tool-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };

/** Sends a document on its way when it is given one. */
const startBlock = defineBlock({
  type: 'startBlock',
  title: 'Start',
  description: '',
  kind: 'interface',
  receive: (ctx) => ctx.emit('RunEvent', [{ owner: ctx.user.did, document: {}, type: 'way' }]),
});

/** Writes the name of its schema into each document, and stores the document. */
const stampBlock = defineBlock({
  type: 'stampBlock',
  title: 'Stamp',
  description: '',
  kind: 'server',
  options: z.object({ schema: z.string().default('') }),
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],
  on: {
    async RunEvent(ctx, { data }) {
      const name = (await ctx.definitions.schema(ctx.options.schema))?.name ?? '';
      const stamped: DocumentInput[] = documentsIn(data).map((each) => ({ ...each, schema: name }));
      for (const each of stamped) await ctx.documents.add(each);
      ctx.emit('RunEvent', stamped);
    },
  },
});

const engineWith = (options: EngineOptions = {}): PolicyEngine =>
  createEngine({ blocks: [startBlock, stampBlock], ...options });

const schemas = { 'schemas/#1.json': { iri: '#1', name: 'Of the tool', document: { $id: '#1' } } };

/** What comes in is stamped with the schema that the policy names, and leaves. */
const stamping = toolFile(
  tool(
    'T',
    { variables: [{ name: 'Kind', type: 'Schema' }], events: [link('T', 'in', 'stamp', 'RunEvent')] },
    written('stampBlock', 'stamp', { schema: 'Kind', events: [link('stamp', 'RunEvent', 'T', 'out')] }),
  ),
  schemas,
);

const policy = (...more: unknown[]) => ({
  name: 'Uses tools',
  config: written(
    'interfaceContainerBlock',
    'root',
    {},
    written('startBlock', 'start', { stopPropagation: true, events: [link('start', 'RunEvent', 'use', 'in')] }),
    useOf('use', '1', { Kind: '#1', events: [link('use', 'out', 'end', 'RunEvent')] }),
    written('stampBlock', 'end', { stopPropagation: true }),
    ...more,
  ),
});

const imported = async (engine: PolicyEngine, caller = owner, source: object = policy()): Promise<string> =>
  (await engine.importPolicy(caller, source)).policy.id;

const problems = async (engine: PolicyEngine, policyId: string, caller = owner): Promise<string[]> =>
  (await engine.getFindings(caller, policyId)).map(({ code, tag }) => `${code} ${tag ?? ''}`);

/** Where the documents of one send were stamped, in order. */
async function stamps(engine: PolicyEngine, policyId: string, store: MemoryStore, caller = owner): Promise<unknown[]> {
  await engine.sendToBlock(caller, policyId, { tag: 'start' }, {});
  return (await store.find('document', policyId)).map(({ schema }) => schema);
}

const sourceOf = (files: Record<string, Uint8Array>): ToolSource & { asked: string[] } => {
  const requested: string[] = [];
  return {
    asked: requested,
    find: ({ messageId }) => {
      requested.push(messageId);
      return Promise.resolve(files[messageId]);
    },
  };
};

describe('a policy that refers to a tool', () => {
  it('loads, is tried and published without it, says so, and the rest of it works', async () => {
    const engine = engineWith();
    const id = await imported(engine);
    expect(await problems(engine, id)).toEqual(['TOOL_MISSING use']);
    expect(await engine.lifecycle.dryRun(owner, id)).toMatchObject({ isValid: true });
    await engine.sendToBlock(owner, id, { tag: 'start' }, {});
    const { items } = await engine.journal.list(owner, id);
    expect(items.at(-1)?.warnings).toMatchObject([
      { tag: 'use', message: expect.stringContaining('goes no further') as unknown },
    ]);
    expect(await engine.lifecycle.publish(owner, id, '1.0.0')).toMatchObject({ isValid: true });
  });

  it('works with the tool as soon as it is imported, with its schemas and its variables', async () => {
    const store = new MemoryStore();
    const engine = engineWith({ store });
    const id = await imported(engine);
    const before = await engine.readRootText(owner, id);
    expect(await engine.tools.import(owner, stamping, referenceTo('1'))).toEqual({
      tool: { ...referenceTo('1'), name: 'Tool', description: 'A tool' },
      findings: [],
    });
    expect(await problems(engine, id)).toEqual([]);
    expect(await stamps(engine, id, store)).toEqual(['Of the tool', '']);
    expect(await engine.readRootText(owner, id)).toBe(before);
    await engine.close();
  });

  it('shows answers that are kept no longer than until its tool comes', async () => {
    const engine = engineWith();
    const id = await imported(engine);
    const blocks = async () =>
      (JSON.parse(await engine.readBlockText(owner, id, { tag: 'use' })) as { blocks: unknown[] }).blocks.length;
    expect([await blocks(), await blocks()]).toEqual([0, 0]);
    await engine.tools.import(owner, stamping, referenceTo('1'));
    expect(await blocks()).toBe(1);
  });

  it('stays as it was written: the blocks of tools are in no configuration that is handed out', async () => {
    const engine = engineWith();
    await engine.tools.import(owner, stamping, referenceTo('1'));
    const id = await imported(engine);
    expect((await engine.getPolicy(owner, id)).config).toMatchObject({
      children: [{}, { tag: 'use', children: [] }, {}],
    });
  });

  it('is the same on every node over one store', async () => {
    const store = new MemoryStore();
    const one = engineWith({ store });
    const id = await imported(one);
    const two = engineWith({ store });
    expect(await problems(two, id)).toEqual(['TOOL_MISSING use']);
    await one.tools.import(owner, stamping, referenceTo('1'));
    expect(await problems(two, id)).toEqual([]);
    const [a, b] = await Promise.all([one, two].map((engine) => engine.findBlock(owner, id, 'use:stamp')));
    expect(a).toEqual(b);
  });
});

describe('a tool', () => {
  it('serves the policies of whoever imported it, and no others', async () => {
    const engine = engineWith();
    const [mine, theirs] = [await imported(engine), await imported(engine, other)];
    await engine.tools.import(owner, stamping, referenceTo('1'));
    expect(await problems(engine, mine)).toEqual([]);
    expect(await problems(engine, theirs, other)).toEqual(['TOOL_MISSING use']);
    expect((await engine.tools.list(owner)).map(({ messageId }) => messageId)).toEqual(['1']);
    expect(await engine.tools.list(other)).toEqual([]);
  });

  it('is imported once: the same file changes nothing, another one is refused', async () => {
    const engine = engineWith();
    const id = await imported(engine);
    await engine.tools.import(owner, stamping, referenceTo('1'));
    await engine.tools.import(owner, stamping, referenceTo('1'));
    const changed = toolFile(tool('T', {}, written('stampBlock', 'stamp')));
    await expect(engine.tools.import(owner, changed, referenceTo('1'))).rejects.toMatchObject({ code: 'TOOL_EXISTS' });
    expect(await problems(engine, id)).toEqual([]);
  });

  it('needs a caller who may import policies, and both names', async () => {
    const engine = engineWith();
    const user: Caller = { did: 'did:example:user', role: 'USER' };
    await expect(engine.tools.import(user, stamping, referenceTo('1'))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(engine.tools.import(owner, stamping, { messageId: '1', hash: '' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });
});

describe('a source of tools', () => {
  const outer = toolFile(
    tool(
      'O',
      { events: [link('O', 'in', 'mid', 'in')] },
      useOf('mid', '2', { events: [link('mid', 'out', 'O', 'out')] }),
    ),
  );
  const inner = toolFile(
    tool(
      'I',
      { events: [link('I', 'in', 'stamp', 'RunEvent')] },
      written('stampBlock', 'stamp', { events: [link('stamp', 'RunEvent', 'I', 'out')] }),
    ),
  );

  it('is asked for what an imported policy lacks, and for what its tools lack', async () => {
    const toolSource = sourceOf({ 1: outer, 2: inner });
    const store = new MemoryStore();
    const engine = engineWith({ store, toolSource });
    const id = await imported(engine);
    expect(toolSource.asked).toEqual(['1', '2']);
    expect(await problems(engine, id)).toEqual([]);
    expect(await stamps(engine, id, store)).toEqual(['', '']);
    await imported(engine, other);
    expect(toolSource.asked).toEqual(['1', '2']);
  });

  it('is asked again when the policy is tried, and never while it runs', async () => {
    const files: Record<string, Uint8Array> = {};
    const toolSource = sourceOf(files);
    const engine = engineWith({ toolSource });
    const id = await imported(engine);
    await engine.sendToBlock(owner, id, { tag: 'start' }, {});
    expect(toolSource.asked).toEqual(['1']);
    files['1'] = stamping;
    expect(await engine.lifecycle.dryRun(owner, id)).toMatchObject({ isValid: true, findings: [] });
  });

  it('may fail, or give what is no tool: the policy is without it', async () => {
    const broken: ToolSource = {
      find: ({ messageId }) =>
        messageId === '1' ? Promise.reject(new Error('offline')) : Promise.resolve(new Uint8Array([1, 2, 3])),
    };
    const engine = engineWith({ toolSource: broken });
    const id = await imported(engine, owner, policy(useOf('second', '2')));
    expect(await problems(engine, id)).toEqual(['TOOL_MISSING use', 'TOOL_MISSING second']);
  });
});
