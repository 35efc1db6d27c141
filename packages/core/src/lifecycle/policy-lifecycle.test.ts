import { createEngine } from '../engine/create-engine.js';
import { MemoryStore } from '../memory/store/memory-store.js';
import type { Caller } from '../access/caller.js';
import { defineBlock } from '@blockwork/core/block';
import { FaultyStore, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };
const day = 86_400_000;
const patient = { timeout: 60_000 };

/** Wakes every day, and counts. */
const dailyBlock = defineBlock({
  type: 'daily',
  title: '',
  description: '',
  kind: 'server',
  options: z.object({ schema: z.string().default(''), tokenId: z.string().default('') }),
  references: ({ schema, tokenId }) => [
    { to: 'schema', name: schema, path: '/schema' },
    { to: 'token', name: tokenId, path: '/tokenId' },
  ],
  timetable: () => ({ next: (after) => (Math.floor(after / day) + 1) * day }),
  on: {
    async TickEvent(ctx, event) {
      const woken = (await ctx.state.get(z.array(z.string()))) ?? [];
      await ctx.state.set([...woken, `${event.user.did} ${new Date(ctx.clock.now()).toISOString()}`]);
    },
  },
  read: async (ctx) => (await ctx.state.get(z.array(z.string()))) ?? [],
});

const root = (...children: object[]): object => ({
  id: '11111111-1111-4111-8111-111111111111',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  children,
});
const child = (blockType: string, tag: string, more: object = {}): object => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  ...more,
});
const policy = (...children: object[]): object => ({
  name: 'Trial',
  policyTag: 'Trial',
  policyRoles: ['Registrant'],
  config: root(child('policyRolesBlock', 'roles', { roles: ['Registrant'], permissions: ['NO_ROLE'] }), ...children),
});

async function world(...children: object[]) {
  const store = new MemoryStore();
  const clock = new SimulatedClock('2026-03-01T12:00:00Z');
  const engine = createEngine({ store, clock, ids: new SequentialIds(), blocks: [dailyBlock] });
  const { policy: imported } = await engine.importPolicy(owner, policy(...children));
  return { engine, store, clock, id: imported.id };
}
const statusOf = async ({ engine, id }: Awaited<ReturnType<typeof world>>): Promise<string> =>
  (await engine.getPolicy(owner, id)).status;

describe('the life of a policy', () => {
  it('goes from draft to trial to draft, and what the trial wrote is gone', async () => {
    const at = await world();
    await at.engine.lifecycle.dryRun(owner, at.id);
    await at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' });
    expect(await at.store.count('document', at.id)).toBe(1);
    expect((await at.engine.getPolicy(user, at.id)).userRole).toBe('Registrant');
    await at.engine.lifecycle.draft(owner, at.id);
    expect(await statusOf(at)).toBe('DRAFT');
    expect(await at.store.count('document', at.id)).toBe(0);
    await expect(at.engine.getPolicy(user, at.id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });

  it('is published under a version, clears the trial, and is announced on the ledger over the signature of its owner', async () => {
    const at = await world();
    await at.engine.lifecycle.dryRun(owner, at.id);
    await at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' });
    const { policy: published, isValid } = await at.engine.lifecycle.publish(owner, at.id, '1.2');
    expect(isValid).toBe(true);
    expect(published).toMatchObject({ status: 'PUBLISH', version: '1.2.0' });
    expect(await at.store.count('membership', at.id)).toBe(0);
    const [message] = await at.store.find('ledger-message', at.id);
    expect(message).toMatchObject({ id: published.messageId, type: 'policy', owner: owner.did });
    expect(message?.body).toMatchObject({ credentialSubject: [{ version: '1.2.0', policyTag: 'Trial' }] });
  });

  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    [2, 'one to three numbers'],
    ['1.0.0.0', 'one to three numbers'],
    ['1.x', 'one to three numbers'],
  ])('refuses the version %j, and changes nothing', async (version, reason) => {
    const at = await world();
    const before = await at.store.find('policy', 'instance');
    await expect(at.engine.lifecycle.publish(owner, at.id, version)).rejects.toMatchObject({
      code: 'VERSION_INVALID',
      message: expect.stringContaining(reason) as string,
    });
    expect(await at.store.find('policy', 'instance')).toEqual(before);
  });

  it.each([
    ['draft', 'DRAFT'],
    ['discontinue', 'DRAFT'],
  ] as const)('refuses "%s" from %s, and says from where it is possible', async (action, status) => {
    const at = await world();
    await expect(at.engine.lifecycle[action](owner, at.id)).rejects.toMatchObject({
      code: 'POLICY_STATUS',
      status: 409,
      message: expect.stringContaining(status) as string,
    });
  });

  it('is in the hands of its owner alone', async () => {
    const at = await world();
    for (const action of ['dryRun', 'draft', 'discontinue'] as const) {
      await expect(at.engine.lifecycle[action](other, at.id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
      await expect(at.engine.lifecycle[action](user, at.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    await expect(at.engine.journal.list(other, at.id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });

  it('is neither tried nor published with an error among its findings, and stays as it was', async () => {
    const at = await world(child('documentsSourceAddon', 'source', { dataType: 'nonsense' }));
    for (const change of [
      await at.engine.lifecycle.dryRun(owner, at.id),
      await at.engine.lifecycle.publish(owner, at.id, '1.0.0'),
    ]) {
      expect(change.isValid).toBe(false);
      expect(change.findings).toContainEqual(expect.objectContaining({ severity: 'error', tag: 'source' }));
    }
    expect(await statusOf(at)).toBe('DRAFT');
  });

  it('takes no data and stays readable once it is discontinued', async () => {
    const at = await world();
    await at.engine.lifecycle.publish(owner, at.id, '1.0.0');
    await at.engine.lifecycle.discontinue(owner, at.id);
    expect(await statusOf(at)).toBe('DISCONTINUED');
    await expect(at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' })).rejects.toMatchObject({
      code: 'POLICY_NOT_RUNNING',
    });
    expect(await at.engine.readRoot(user, at.id)).toMatchObject({ blockType: 'interfaceContainerBlock' });
  });

  it('begins again with another file in one unit, and what was done before is gone', async () => {
    const at = await world(child('daily', 'daily'));
    await at.engine.lifecycle.dryRun(owner, at.id);
    await at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' });
    const before = await at.store.revision(at.id);
    const file = policy(child('daily', 'other'));
    const { isValid, policy: after, removed } = await at.engine.lifecycle.restartWith(owner, at.id, file);
    expect({ isValid, status: after.status, memberships: removed?.memberships }).toEqual({
      isValid: true,
      status: 'DRY-RUN',
      memberships: 1,
    });
    expect(await at.store.revision(at.id)).toBe(before + 1);
    await expect(at.engine.readBlock(owner, at.id, { tag: 'daily' })).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
    at.clock.advance('1d');
    await at.engine.program.schedule.runDue();
    // Timers are those of the new file.
    expect(await at.engine.readBlock(owner, at.id, { tag: 'other' })).toHaveLength(1);
    const { items } = await at.engine.journal.list(owner, at.id);
    expect(items[0]).toMatchObject({ cause: { type: 'lifecycle', action: 'replace' } });
  });

  it('stays as it is, with everything in it, where the other file has errors or is none', async () => {
    const at = await world(child('daily', 'daily'));
    await at.engine.lifecycle.dryRun(owner, at.id);
    await at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' });
    const { isValid, findings } = await at.engine.lifecycle.restartWith(
      owner,
      at.id,
      policy(child('daily', 'daily', { schema: '#none' })),
    );
    expect({ isValid, findings }).toMatchObject({ isValid: false, findings: [{ code: 'REFERENCE_UNKNOWN' }] });
    await expect(at.engine.lifecycle.restartWith(owner, at.id, 'no policy')).rejects.toMatchObject({
      code: 'POLICY_FILE_INVALID',
    });
    expect(await statusOf(at)).toBe('DRY-RUN');
    expect((await at.engine.getPolicy(user, at.id)).userRoles).toEqual(['Registrant']);
    expect(await at.engine.readBlock(owner, at.id, { tag: 'daily' })).toEqual([]);
    await at.engine.lifecycle.draft(owner, at.id);
    await expect(at.engine.lifecycle.restartWith(owner, at.id, policy())).rejects.toMatchObject({
      code: 'POLICY_STATUS',
    });
  });

  it('is the one trial or the other, wherever its process dies while the file is replaced', async () => {
    for (let [call, isOver] = [1, false]; !isOver; call += 1) {
      const at = await world(child('informationBlock', 'old'));
      await at.engine.lifecycle.dryRun(owner, at.id);
      await at.engine.sendToBlock(user, at.id, { tag: 'roles' }, { role: 'Registrant' });
      const store = new FaultyStore(at.store);
      store.failAt(call, call % 2 === 0 ? 'dies before' : 'dies after');
      const dying = createEngine({ store, clock: at.clock, ids: new SequentialIds(), blocks: [dailyBlock] });
      await dying.lifecycle.restartWith(owner, at.id, policy(child('informationBlock', 'new'))).catch(() => undefined);
      isOver = !store.hasFailed;
      const { status } = await at.engine.getPolicy(owner, at.id);
      const { userRole } = await at.engine.getPolicy(user, at.id).catch(() => ({ userRole: 'No role' }));
      const has = (tag: string): Promise<boolean> =>
        at.engine.readBlock(owner, at.id, { tag }).then(
          () => true,
          () => false,
        );
      const isOld = await has('old');
      expect({ status, userRole, isNew: await has('new') }, `call ${call}`).toEqual({
        status: 'DRY-RUN',
        userRole: isOld ? 'Registrant' : 'No role',
        isNew: !isOld,
      });
      if (isOver) expect(isOld).toBe(false);
    }
  });

  it('is discontinued at a date when that comes, also after a restart', async () => {
    const at = await world();
    await at.engine.lifecycle.publish(owner, at.id, '1.0.0');
    await expect(at.engine.lifecycle.discontinue(owner, at.id, '2026-02-01')).rejects.toMatchObject({
      code: 'DATE_INVALID',
    });
    await at.engine.lifecycle.discontinue(owner, at.id, '2026-04-01T00:00:00Z');
    expect(await statusOf(at)).toBe('PUBLISH');
    const later = createEngine({ store: at.store, clock: at.clock, blocks: [dailyBlock] });
    at.clock.advance('40d');
    await later.program.schedule.runDue();
    expect(await statusOf({ ...at, engine: later })).toBe('DISCONTINUED');
  });

  it('compares versions as numbers', () => {
    const part = fc.integer({ min: 0, max: 20 });
    return fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        async (a, b) => {
          const { engine, store, id } = await world();
          const [record] = await store.find('policy', 'instance');
          if (record === undefined) throw new Error('there is no policy');
          const changes = [
            { op: 'put', kind: 'policy', partition: 'instance', value: { ...record, previousVersion: a.join('.') } },
          ] as const;
          await store.commit({ expect: { [`definition/${id}`]: await store.revision(`definition/${id}`) }, changes });
          const padded = (parts: number[]): number =>
            parts
              .concat(0, 0)
              .slice(0, 3)
              .reduce((sum, n) => sum * 100 + n, 0);
          const publishing = engine.lifecycle.publish(owner, id, b.join('.'));
          if (padded(b) > padded(a)) expect((await publishing).isValid).toBe(true);
          else await expect(publishing).rejects.toMatchObject({ code: 'VERSION_INVALID' });
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the moments of a running policy', () => {
  const daily = child('daily', 'clockwork');

  it('wake its blocks in the name of its owner, once for all that was missed, and go on from there', async () => {
    const at = await world(daily);
    expect(await at.engine.program.schedule.getNextDue()).toBeNull();
    await at.engine.lifecycle.publish(owner, at.id, '1.0.0');
    expect(await at.engine.program.schedule.getNextDue()).toBe(Date.parse('2026-03-02T00:00:00Z'));
    at.clock.advance('12h');
    await at.engine.program.schedule.runDue();
    at.clock.advance('5d');
    await at.engine.program.schedule.runDue();
    await at.engine.program.schedule.runDue();
    expect(await at.engine.readBlock(owner, at.id, { tag: 'clockwork' })).toEqual([
      `${owner.did} 2026-03-02T00:00:00.000Z`,
      `${owner.did} 2026-03-07T00:00:00.000Z`,
    ]);
    expect(await at.engine.program.schedule.getNextDue()).toBe(Date.parse('2026-03-08T00:00:00Z'));
  });

  it('happen once, whichever of two engines over one store is faster', async () => {
    const at = await world(daily);
    await at.engine.lifecycle.publish(owner, at.id, '1.0.0');
    const second = createEngine({ store: at.store, clock: at.clock, blocks: [dailyBlock] });
    at.clock.advance('1d');
    await Promise.all([at.engine.program.schedule.runDue(), second.program.schedule.runDue()]);
    expect(await at.engine.readBlock(owner, at.id, { tag: 'clockwork' })).toHaveLength(1);
  });

  it('are over when the policy is a draft again', async () => {
    const at = await world(daily);
    await at.engine.lifecycle.dryRun(owner, at.id);
    await at.engine.lifecycle.draft(owner, at.id);
    expect(await at.engine.program.schedule.getNextDue()).toBeNull();
  });

  it('ring by themselves: the alarm is set to the next moment', async () => {
    const clock = new SimulatedClock('2026-03-01T12:00:00Z');
    const timers = new SimulatedTimers(clock);
    const engine = createEngine({ clock, timers, blocks: [dailyBlock] });
    const { policy: imported } = await engine.importPolicy(owner, policy(daily));
    await engine.lifecycle.publish(owner, imported.id, '1.0.0');
    await expect.poll(() => timers.pending, patient).toContain(Date.parse('2026-03-02T00:00:00Z'));
    timers.advance(day);
    await expect.poll(() => engine.readBlock(owner, imported.id, { tag: 'clockwork' }), patient).toHaveLength(1);
    await expect.poll(() => timers.pending, patient).toContain(Date.parse('2026-03-03T00:00:00Z'));
  });
});

describe('the findings about a policy', () => {
  it('name the schemas and tokens that it does not have, and keep it from being published', async () => {
    const at = await world(
      child('documentsSourceAddon', 'rows', { dataType: 'vc-documents', schema: '#gone' }),
      child('daily', 'form', { schema: '#lost', tokenId: '0.0.404' }),
    );
    const findings = await at.engine.getFindings(owner, at.id);
    expect(findings.filter(({ code }) => code === 'REFERENCE_UNKNOWN')).toMatchObject([
      { severity: 'warning', tag: 'rows', path: expect.stringMatching(/\/schema$/) as string },
      { severity: 'error', tag: 'form', message: expect.stringContaining('"#lost"') as string },
      { severity: 'error', tag: 'form', path: expect.stringMatching(/\/tokenId$/) as string },
    ]);
    expect(await at.engine.lifecycle.publish(owner, at.id, '1.0.0')).toMatchObject({ isValid: false });
    await at.store.commit({
      expect: {},
      changes: [
        {
          op: 'put',
          kind: 'schema',
          partition: at.id,
          value: { id: '#lost', name: '', entity: '', status: '', document: {}, source: {} },
        },
        {
          op: 'put',
          kind: 'token',
          partition: at.id,
          value: { id: '0.0.404', tokenName: '', tokenSymbol: '', source: {} },
        },
      ],
    });
    expect(await at.engine.lifecycle.publish(owner, at.id, '1.0.0')).toMatchObject({ isValid: true });
  });
});
