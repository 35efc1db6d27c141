import { createEngine } from '../engine/create-engine.js';
import type { Caller } from '../access/caller.js';
import type { PolicyEngine } from '../engine/engine.js';
import { defineBlock } from '@blockwork/core/block';
import { documents, gridWith, SimulatedClock } from '@blockwork/testing';
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };
let reads = 0;

const named = (type: string) => ({ type, title: type, description: '', kind: 'interface' }) as const;

/** Counts how often it is really read. */
const counted = defineBlock({
  ...named('counted'),
  pure: true,
  read(ctx) {
    reads += 1;
    return { did: ctx.user.did, role: ctx.user.role, query: { ...ctx.query } };
  },
});

const unsure = defineBlock({
  ...named('unsure'),
  read() {
    reads += 1;
    return reads;
  },
});

/** Looks twice, and lets something happen in between. */
let between = (): Promise<unknown> => Promise.resolve();
const twice = defineBlock({
  ...named('twice'),
  async read(ctx) {
    const first = await ctx.documents.find({ all: [] });
    await between();
    return [first.length, (await ctx.documents.find({ all: [] })).length];
  },
});

/** Writes into one document. */
const renaming = defineBlock({
  ...named('renaming'),
  input: z.object({ id: z.string(), name: z.string() }),
  async receive(ctx, { id, name }) {
    const document = await ctx.documents.get(id);
    if (document !== undefined) await ctx.documents.update({ ...document, document: { ...document.document, name } });
  },
});

/** Changes the rows that it is given, and what is in them. */
const painting = defineBlock({
  ...named('painting'),
  kind: 'addon',
  pure: true,
  enrich(_, rows) {
    for (const row of rows) Object.assign(row.document, { paint: 'red' });
    return [...rows];
  },
});

const dated = defineBlock({ ...named('dated'), pure: true, read: (ctx) => ctx.clock.now() });

let engine: PolicyEngine;
let clock: SimulatedClock;
let policyId: string;

const block = (blockType: string, more: object = {}): object => ({
  blockType,
  tag: blockType,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  children: [],
  ...more,
});

beforeEach(async () => {
  reads = 0;
  clock = new SimulatedClock();
  engine = createEngine({ clock, blocks: [counted, unsure, twice, dated, renaming, painting] });
  const grid = gridWith([]);
  const config = block('interfaceContainerBlock', {
    children: [
      block('policyRolesBlock', { roles: ['Installer'], permissions: ['NO_ROLE'] }),
      block('counted'),
      block('unsure'),
      block('twice'),
      block('dated'),
      block('renaming'),
      block('interfaceDocumentsSourceBlock', {
        tag: 'painted',
        children: [block('documentsSourceAddon', { tag: 'all', dataType: 'vc-documents' }), block('painting')],
      }),
      {
        ...block('interfaceDocumentsSourceBlock', grid),
        children: [...(grid.children ?? []), { blockType: 'paginationAddon', tag: 'pages' }].map((child) => ({
          ...block(child.blockType),
          ...child,
        })),
      },
    ],
  });
  policyId = (await engine.importPolicy(owner, { name: 'Cached', policyRoles: ['Installer'], config })).policy.id;
});
afterEach(() => engine.close());

const text = (tag: string, caller = user, query = {}) => engine.readBlockText(caller, policyId, { tag }, query);

describe('an answer', () => {
  it('is of one moment, although the policy changes while it is worked out', async () => {
    let added = 0;
    const add = async (): Promise<void> => {
      if (added < 3) await engine.program.documents.add(policyId, [{ owner: user.did, document: { n: (added += 1) } }]);
    };
    between = add;
    expect(await engine.readBlock(user, policyId, { tag: 'twice' })).toEqual([3, 3]);
    added = 0;
    expect(JSON.parse(await text('twice'))).toEqual([6, 6]);
    between = () => Promise.resolve();
  });
});

describe('answers as text', () => {
  it('say the same as the answers themselves', async () => {
    await engine.program.documents.add(policyId, documents(30));
    const query = { page: '1', itemsPerPage: '7' };
    expect(JSON.parse(await text('grid', user, query))).toEqual(
      await engine.readBlock(user, policyId, { tag: 'grid' }, query),
    );
    expect(JSON.parse(await engine.readRootText(user, policyId))).toEqual(await engine.readRoot(user, policyId));
  });

  it('show each change of a document, and the other documents as they are', async () => {
    await engine.program.documents.add(policyId, documents(12));
    const { data } = await engine.readBlock<{ data: { id: string }[] }>(user, policyId, { tag: 'grid' });
    const names = () => JSON.parse(names.text) as { data: { document: { name?: string } }[] };
    names.text = await text('grid');
    for (const [at, { id }] of data.slice(0, 3).entries()) {
      await engine.sendToBlock(user, policyId, { tag: 'renaming' }, { id, name: `n${String(at)}` });
      names.text = await text('grid');
      expect(names.text).toBe(JSON.stringify(await engine.readBlock(user, policyId, { tag: 'grid' })));
      expect(names().data.flatMap(({ document }) => document.name ?? [])).toEqual(['n0', 'n1', 'n2'].slice(0, at + 1));
    }
    const second = await text('grid', user, { page: '1' });
    expect(second).toBe(JSON.stringify(await engine.readBlock(user, policyId, { tag: 'grid' }, { page: '1' })));
  });

  it('show rows of a dry run as such, and then no longer', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    await engine.program.documents.add(policyId, documents(1));
    expect(JSON.parse(await text('grid'))).toMatchObject({ data: [{ dryRunId: policyId }] });
    await engine.lifecycle.draft(owner, policyId);
    await engine.program.documents.add(policyId, documents(1));
    const { data } = JSON.parse(await text('grid')) as { data: object[] };
    expect(data).toHaveLength(1);
    expect(data[0]).not.toHaveProperty('dryRunId');
  });

  it('share nothing with answers as values, which belong to the caller', async () => {
    await engine.program.documents.add(policyId, documents(2));
    const before = await text('grid');
    const read = () =>
      engine.readBlock<{ data: { document: object; option: object }[] }>(user, policyId, { tag: 'grid' });
    const answer = await read();
    for (const row of answer.data) Object.assign(Object.assign(row, { id: 'spoilt' }).document, { spoilt: true });
    expect(await text('grid', user, { more: '' })).toBe(before);
    expect(JSON.stringify(await read())).toBe(before);
  });

  it('give addons rows of their own, which they may change', async () => {
    await engine.program.documents.add(policyId, documents(2));
    const plain = await text('grid');
    expect(JSON.parse(await text('painted'))).toMatchObject({ data: [{ document: { paint: 'red' } }, {}] });
    expect(await text('grid', user, { more: '' })).toBe(plain);
    expect(plain).not.toContain('paint');
  });

  it('are worked out once while nothing changes, for each caller and query', async () => {
    await text('counted');
    await text('counted');
    expect(reads).toBe(1);
    await text('counted', owner);
    await text('counted', user, { page: '1' });
    expect(reads).toBe(3);
  });

  it("follow every change at once: documents, pages, and the caller's role", async () => {
    expect(JSON.parse(await text('grid'))).toMatchObject({ totalCount: 0, pageSize: 10 });
    await engine.program.documents.add(policyId, documents(3));
    expect(JSON.parse(await text('grid'))).toMatchObject({ totalCount: 3 });
    await engine.sendToBlock(user, policyId, { tag: 'pages' }, { page: 0, itemsPerPage: 2 });
    expect(JSON.parse(await text('grid'))).toMatchObject({ pageSize: 2 });
    expect(JSON.parse(await text('counted'))).toMatchObject({ role: null });
    await engine.sendToBlock(user, policyId, { tag: 'policyRolesBlock' }, { role: 'Installer' });
    expect(JSON.parse(await text('counted'))).toMatchObject({ role: 'Installer' });
    await expect(text('policyRolesBlock')).rejects.toMatchObject({ code: 'BLOCK_FORBIDDEN' });
  });

  it('of a block that does not say it is pure are never kept', async () => {
    expect([await text('unsure'), await text('unsure')]).toEqual(['1', '2']);
  });

  it('in which the time had a part are never kept', async () => {
    const before = await text('dated');
    clock.advance(1);
    expect(Number(await text('dated'))).toBe(Number(before) + 1);
  });

  it('are still refused to a caller who has lost the permission', async () => {
    await text('counted');
    await expect(text('counted', { did: user.did, role: 'AUDITOR' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('during which something changed are not kept', async () => {
    const slowly = defineBlock({
      ...named('counted'),
      pure: true,
      async read(ctx) {
        const count = await ctx.documents.count({ sources: [{ tag: 'x', where: { all: [] } }] });
        await new Promise((resolve) => setImmediate(resolve));
        return count;
      },
    });
    const slow = createEngine({ blocks: [slowly] });
    const { policy } = await slow.importPolicy(owner, { name: 'Slow', config: block('counted') });
    const early = slow.readBlockText(user, policy.id, { tag: 'counted' });
    await slow.program.documents.add(policy.id, documents(2));
    await early;
    expect(await slow.readBlockText(user, policy.id, { tag: 'counted' })).toBe('2');
    await slow.close();
  });
});
