import { defineBlock, informationBlock, interfaceContainerBlock } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogOf, definition, source } from '../../test/policy-fixtures.js';
import { compilePolicy, type BlockNode } from '../policy/index.js';
import type { BlockSource } from '../records/index.js';
import { availability, availabilityInParent, type ActivityReader } from './availability.js';
import { policyUser, type PolicyUser } from './policy-user.js';

const catalog = catalogOf(
  ...(['container', 'interface', 'server', 'source', 'filter', 'paging', 'history', 'addon'] as const).map((kind) =>
    definition(kind, { kind }),
  ),
);
const nobody: PolicyUser = policyUser({ did: 'did:cy' }, 'did:owner', []);
const installer: PolicyUser = { ...nobody, role: 'Installer' };
const owner: PolicyUser = policyUser({ did: 'did:owner' }, 'did:owner', []);

/** What the running policy would say: `shut` blocks are not open in their parents, `done` ones have completed. */
const activity = ({ shut = [], done = [] }: { shut?: string[]; done?: string[] } = {}): ActivityReader => ({
  decides: () => true,
  isOpenIn: (parent, child) => Promise.resolve(child.parent === parent && !shut.includes(child.tag)),
  hasCompleted: (block) => Promise.resolve(done.includes(block.tag)),
});

/** root > outer > inner > block, with `gate` and `other` beside `outer`. */
function tree(
  changes: Partial<Record<'root' | 'outer' | 'inner' | 'block', Partial<BlockSource>>> = {},
  kind = 'interface',
) {
  const { root, outer, inner, block } = changes;
  const nest = source('container', 'outer', outer, source('container', 'inner', inner, source(kind, 'block', block)));
  const config = source('container', 'root', root, nest, source('interface', 'gate'), source('interface', 'other'));
  const compiled = compilePolicy(config, { roles: ['Installer'], groups: [], navigation: [] }, catalog);
  return (tag = 'block'): BlockNode => compiled.byTag.get(tag)!;
}

describe('availability', () => {
  it('is allowed where the block and all its ancestors are permitted and active', async () => {
    expect(await availability(tree()(), nobody, activity())).toEqual({ outcome: 'allowed' });
  });

  it.each(['root', 'outer', 'inner', 'block'] as const)('is forbidden by the permissions of %s alone', async (at) => {
    const node = tree({ [at]: { permissions: ['Installer'] } })();
    expect(await availability(node, installer, activity())).toEqual({ outcome: 'allowed' });
    expect(await availability(node, nobody, activity())).toEqual({
      outcome: 'forbidden',
      reason: `${at === 'block' ? 'it is' : `its ancestor "${at}" is`} for Installer, and the caller is without a role`,
    });
  });

  it.each<[string, PolicyUser, string[]]>([
    ['it is for nobody, and the caller is without a role', nobody, []],
    ['it is for OWNER, NO_ROLE, and the caller is the role "Installer"', installer, ['OWNER', 'NO_ROLE']],
    ['it is for Installer, and the caller is the owner, without a role', owner, ['Installer']],
    ['it is for NO_ROLE, and the caller is the owner, without a role', owner, ['NO_ROLE']],
  ])('says for whom the block is, and who asks: %s', async (reason, user, permissions) => {
    expect(await availability(tree({ block: { permissions } })(), user, activity())).toEqual({
      outcome: 'forbidden',
      reason,
    });
  });

  it.each(['outer', 'inner', 'block'])('is inactive while %s is not open in its parent', async (at) => {
    const parent = { outer: 'root', inner: 'outer', block: 'inner' }[at]!;
    expect(await availability(tree()(), nobody, activity({ shut: [at] }))).toEqual({
      outcome: 'inactive',
      reason: `"${parent}" is at another step than "${at}"`,
    });
    expect(await availability(tree()(), nobody, activity({ shut: ['gate', 'other'] }))).toEqual({ outcome: 'allowed' });
  });

  it.each(['root', 'outer', 'inner', 'block'] as const)(
    'is inactive until the dependencies of %s have completed',
    async (at) => {
      const node = tree({ [at]: { dependencies: ['gate', 'other'] } })();
      const inactiveFor = (tag: string) => ({
        outcome: 'inactive',
        reason: `"${at}" waits for "${tag}" to be completed`,
      });
      expect(await availability(node, nobody, activity())).toEqual(inactiveFor('gate'));
      expect(await availability(node, nobody, activity({ done: ['gate'] }))).toEqual(inactiveFor('other'));
      expect(await availability(node, nobody, activity({ done: ['other'] }))).toEqual(inactiveFor('gate'));
      expect(await availability(node, nobody, activity({ done: ['gate', 'other'] }))).toEqual({ outcome: 'allowed' });
    },
  );

  it('does not wait for a dependency that does not exist', async () => {
    expect(await availability(tree({ block: { dependencies: ['gone'] } })(), nobody, activity())).toEqual({
      outcome: 'allowed',
    });
  });

  it('is forbidden rather than inactive where it is both, whichever of them is nearer to the root', async () => {
    const below = tree({ outer: { dependencies: ['gate'] }, block: { permissions: [] } })();
    const above = tree({ root: { permissions: [] }, block: { dependencies: ['gate'] } })();
    for (const node of [below, above]) {
      expect(await availability(node, nobody, activity({ shut: ['outer', 'block'] }))).toMatchObject({
        outcome: 'forbidden',
      });
    }
  });

  it.each([
    ['paging', 'inactive'],
    ['filter', 'inactive'],
    ['source', 'allowed'],
    ['history', 'allowed'],
    ['addon', 'allowed'],
    ['interface', 'allowed'],
    ['server', 'allowed'],
    ['container', 'allowed'],
  ])('with defaultActive false, a block of the kind %s is %s', async (kind, outcome) => {
    const node = tree({ block: { defaultActive: false } }, kind)();
    expect(await availability(node, nobody, activity())).toMatchObject({ outcome });
    expect(await availabilityInParent(node, nobody, activity())).toMatchObject({ outcome });
    expect(await availability(tree({}, kind)(), nobody, activity())).toEqual({ outcome: 'allowed' });
  });

  it('asked for one block within its parent, leaves the ancestors aside', async () => {
    const closed = tree({ outer: { permissions: [], dependencies: ['gate'] }, inner: { permissions: [] } })();
    expect(await availabilityInParent(closed, nobody, activity({ shut: ['inner'] }))).toEqual({ outcome: 'allowed' });
    expect(await availabilityInParent(closed, nobody, activity({ shut: ['block'] }))).toMatchObject({
      outcome: 'inactive',
    });
    const own = tree({ block: { permissions: [], dependencies: ['gate'] } })();
    expect(await availabilityInParent(own, nobody, activity())).toMatchObject({ outcome: 'forbidden' });
  });

  it('lets the parent decide who sees the rows of a source, but not who may address it', async () => {
    const source = tree({ block: { permissions: [] } }, 'source')();
    expect(await availabilityInParent(source, nobody, activity())).toEqual({ outcome: 'allowed' });
    expect(await availability(source, nobody, activity())).toMatchObject({ outcome: 'forbidden' });
    const block = tree({ block: { permissions: [], dependencies: ['gate'] } }, 'source')();
    expect(await availabilityInParent(block, nobody, activity())).toMatchObject({ outcome: 'inactive' });
  });
});

describe('availability without a look at the state of users', () => {
  const unread = (): never => {
    throw new Error('the state of a user was read');
  };
  /** A policy in which no parent opens and closes its children. */
  const stateless: ActivityReader = { decides: () => false, isOpenIn: unread, hasCompleted: unread };

  it.each(['interface', 'server', 'container'])(
    'allows a block of the kind %s that nothing can close',
    async (kind) => {
      for (const defaultActive of [true, false]) {
        const node = tree({ block: { defaultActive } }, kind)();
        expect(await availability(node, nobody, stateless)).toEqual({ outcome: 'allowed' });
        expect(await availabilityInParent(node, nobody, stateless)).toEqual({ outcome: 'allowed' });
      }
    },
  );

  it('says that an addon is switched off', async () => {
    const off = { outcome: 'inactive', reason: 'the addon "block" is switched off (defaultActive)' };
    const node = tree({ block: { defaultActive: false } }, 'filter')();
    expect(await availability(node, nobody, stateless)).toEqual(off);
    expect(await availabilityInParent(node, nobody, stateless)).toEqual(off);
  });

  it('allows a block of a type that the engine does not know', async () => {
    const node = tree({ block: { defaultActive: false } }, 'unheardOf')();
    expect(await availability(node, nobody, activity())).toEqual({ outcome: 'allowed' });
  });

  it('never looks for the root among the children of a parent', async () => {
    const strict: ActivityReader = {
      ...activity({ done: ['gate'] }),
      isOpenIn: (parent, child) =>
        (parent as BlockNode | null) === null ? unread() : Promise.resolve(child.parent === parent),
    };
    expect(await availability(tree({ root: { dependencies: ['gate'] } })(), nobody, strict)).toEqual({
      outcome: 'allowed',
    });
  });
});

describe('availability in a running policy', () => {
  const task = defineBlock({
    type: 'task',
    title: 'Task',
    description: 'Takes data, passes its run on.',
    kind: 'interface',
    input: z.json(),
    receive(ctx, data) {
      if (data === 'bad') ctx.fail('INPUT_INVALID', { facts: { reason: 'bad' } });
    },
    on: { RunEvent: (ctx) => ctx.emit('RunEvent') },
  });
  const north = '10000000-0000-4000-8000-000000000001';
  const south = '10000000-0000-4000-8000-000000000002';
  const ann = { role: 'Installer', did: 'did:bench:ann', group: north };

  const benchWaiting = (): BlockBench =>
    blockBench(informationBlock, {
      options: { dependencies: ['task'] },
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'around',
        children: [{ blockType: 'task', tag: 'task', stopPropagation: true }],
      },
      blocks: [task],
    });

  it('opens a block when the user has completed what it depends on, for them and for their group', async () => {
    const bench = benchWaiting();
    expect(await bench.as(ann).availability()).toMatchObject({ outcome: 'inactive' });
    await bench.as(ann).at('task').send({});
    expect(await bench.as(ann).availability()).toEqual({ outcome: 'allowed' });
    expect(await bench.as({ ...ann, did: 'did:bench:bob' }).availability()).toEqual({ outcome: 'allowed' });
    expect(await bench.as({ role: 'Installer', did: 'did:bench:cy', group: south }).availability()).toMatchObject({
      outcome: 'inactive',
    });
    expect(await bench.as('NO_ROLE').availability()).toMatchObject({ outcome: 'inactive' });
  });

  it('does not take two users without a group for members of one', async () => {
    const bench = benchWaiting();
    await bench.as({ did: 'did:bench:ann' }).at('task').send({});
    expect(await bench.as({ did: 'did:bench:ann' }).availability()).toEqual({ outcome: 'allowed' });
    expect(await bench.as({ did: 'did:bench:bob' }).availability()).toMatchObject({ outcome: 'inactive' });
  });

  it('counts a block as completed that passed its run on, but not one that refused its data', async () => {
    const bench = benchWaiting();
    await expect(bench.as(ann).at('task').send('bad')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await bench.as(ann).availability()).toMatchObject({ outcome: 'inactive' });
    await bench.as(ann).at('task').event('RunEvent');
    expect(await bench.as(ann).availability()).toEqual({ outcome: 'allowed' });
  });

  it('is unknown for a block that the policy does not have', async () => {
    expect(await blockBench(interfaceContainerBlock).as('OWNER').at('gone').availability()).toEqual({
      outcome: 'unknown',
      reason: 'the policy has no block with the tag "gone"',
    });
  });

  it('shows as BLOCK_FORBIDDEN or BLOCK_NOT_ACTIVE, with the reason in the message', async () => {
    const bench = benchWaiting();
    await expect(bench.as(ann).read()).rejects.toThrow(
      'is not active for this caller now: "block" waits for "task" to be completed.',
    );
    const closed = blockBench(informationBlock, { options: { permissions: ['Verifier'] } });
    await expect(closed.as(ann).read()).rejects.toThrow(
      'is not open to this caller: it is for Verifier, and the caller is the role "Installer".',
    );
  });
});
