/** What owners see of the timers and schemas of their policies, and the identities that everybody may verify. */
import { createEngine, MemoryStore, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, SimulatedClock } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, hourlyBlock } from '../../../test/support/hourly-block.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', role: 'USER' };

const schema = { iri: '#farm&1.0.0', name: 'Farm', entity: 'VC', status: 'PUBLISHED', document: '{"type":"object"}' };
const policy = {
  name: 'Timed',
  schemas: [schema],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [block('hourly', 'clock'), block('informationBlock', 'note')],
  }),
};

let engine: PolicyEngine;
let clock: SimulatedClock;
let policyId: string;

beforeEach(async () => {
  clock = new SimulatedClock();
  engine = createEngine({ store: new MemoryStore(), clock, blocks: [hourlyBlock], drafts: 'shared' });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
});
afterEach(() => engine.close());

const runs = async (): Promise<unknown> => engine.readBlock(owner, policyId, { tag: 'clock' });

describe('timers', () => {
  it('of a draft are none, those of a trial are listed with what is due next', async () => {
    expect(await engine.timers.list(owner, policyId)).toEqual({ items: [], total: 0 });
    await engine.lifecycle.dryRun(owner, policyId);
    const due = new Date((Math.floor(clock.now() / HOUR) + 1) * HOUR).toISOString();
    expect(await engine.timers.list(owner, policyId)).toEqual({
      items: [{ type: 'tick', tag: 'clock', due }],
      total: 1,
    });
  });

  it('are run now in a trial, once for each call, and stay due when they were', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    const before = await engine.timers.list(owner, policyId);
    await engine.timers.run(owner, policyId, 'clock');
    await Promise.all([1, 2].map(() => engine.timers.run(owner, policyId, 'clock')));
    expect(await runs()).toBe(3);
    expect(await engine.timers.list(owner, policyId)).toEqual(before);
    expect((await engine.journal.list(owner, policyId, { cause: 'tick' })).total).toBe(3);
  });

  it('are not run in a draft, nor once they count', async () => {
    await expect(engine.timers.run(owner, policyId, 'clock')).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    await expect(engine.timers.run(owner, policyId, 'clock')).rejects.toMatchObject({
      code: 'POLICY_STATUS',
      message: expect.stringContaining('DRY-RUN') as string,
    });
    expect(await runs()).toBe(0);
  });

  it('are those of blocks with a timetable, and the business of the owner', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    const run = (caller: Caller, tag: string) => engine.timers.run(caller, policyId, tag);
    await expect(run(owner, 'note')).rejects.toMatchObject({ code: 'BLOCK_WITHOUT_TIMER', status: 409 });
    await expect(run(owner, '__proto__')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
    await expect(run(other, 'clock')).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    await expect(run(user, 'clock')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(engine.timers.list(other, policyId)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    expect(await runs()).toBe(0);
  });
});

describe('schemas', () => {
  it('are listed without their fields, and read one by one', async () => {
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    const [summary] = await engine.schemas.list(user, policyId);
    expect(summary).toEqual({ id: schema.iri, name: 'Farm', entity: 'VC', status: 'PUBLISHED' });
    expect(await engine.schemas.get(user, policyId, schema.iri)).toEqual({ ...summary, document: { type: 'object' } });
    await expect(engine.schemas.get(user, policyId, '#other')).rejects.toMatchObject({ code: 'SCHEMA_UNKNOWN' });
    await expect(engine.schemas.list({ did: user.did }, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('identities', () => {
  it('have a DID document if signatures of theirs can be verified', async () => {
    expect(await engine.identities.getDocument(user, user.did)).toMatchObject({ id: user.did });
    await expect(engine.identities.getDocument(user, 'did:example:nobody')).rejects.toMatchObject({
      code: 'IDENTITY_UNKNOWN',
    });
    await expect(engine.identities.getDocument({ did: 'did:example:x' }, user.did)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});
