/** iREC 9: registration is a module, and what was registered can be revoked. */
import { policyBench, type PolicyBench } from '@blockwork/testing';
import type { JsonObject } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { library, libraryFile } from './library.js';

const TOKEN = '0.0.15013283';
const application = { field0: '2026-01-01', field1: {}, field2: {}, field3: {} };

/** Alice has handed in her application, through the form inside the module. */
async function applied(): Promise<PolicyBench> {
  const bench = policyBench(libraryFile('policies', 'irec-9-c92d1e.policy'));
  await bench.as('alice').choose({ role: 'Registrant' });
  await bench.as('alice').send('registrants_module:create', { document: application, ref: null });
  return bench;
}

const shown = async (bench: PolicyBench, user: string, tag: string) =>
  ((await bench.as(user).read(tag)) as { blocks: JsonObject[]; index: number }).index;

const decide = async (bench: PolicyBench, button: string) =>
  bench.owner.press('approve_registrant_btn', button, await bench.owner.row('registrants_grid'));

describe.skipIf(library === undefined)('iREC 9', () => {
  it('registers through its module: the variables name its schema, topic, token and role', async () => {
    const bench = await applied();
    expect(await bench.documents({ type: 'registrant' })).toMatchObject([
      { schema: '#84fa3bd8-5b56-433b-9dc4-5eb1cf8462e1&1.0.0', option: { status: 'Waiting for approval' } },
    ]);
    const { engine, policyId, store } = await bench.open();
    expect(await store.find('ledger-topic', policyId)).toContainEqual(
      expect.objectContaining({ name: 'Project', owner: bench.as('alice').did }),
    );
    const account = await bench.as('alice').account();
    expect(await engine.program.ledger.getRelation(policyId, TOKEN, account)).toMatchObject({ associated: true });
    expect(await engine.listTokenIds(bench.owner.caller, policyId)).toEqual([TOKEN]);
    expect(await shown(bench, 'alice', 'registrants_workflow_steps')).toBe(1);
  });

  it('goes on where the module leads out of its ports: approved, or rejected', async () => {
    const approved = await applied();
    await decide(approved, 'Button_0');
    expect(await shown(approved, 'alice', 'registrants_workflow_steps')).toBe(2);
    expect((await approved.documents({ type: 'registrant(Approved)' })).length).toBe(1);

    const rejected = await applied();
    await decide(rejected, 'Button_1');
    expect(await shown(rejected, 'alice', 'registrants_workflow_steps')).toBe(3);
    expect((await rejected.documents({ type: 'registrant(Approved)' })).length).toBe(0);
  });

  it('revokes a registration with all that builds on it, and says so on the ledger', async () => {
    const bench = await applied();
    await decide(bench, 'Button_0');
    const alice = bench.as('alice');
    const rows = await alice.grid('registrant_form_grid');
    const before = await bench.documents({ 'option.status': 'Revoked' });
    await alice.press('revoke_registrant_form_btn', 'Button_0', rows[0] ?? null, { 'option.comment': 'moved away' });
    expect(before).toEqual([]);
    const revoked = await bench.documents({ 'option.status': 'Revoked' });
    expect(revoked.map(({ type }) => type)).toEqual(['registrant', 'registrant(Approved)']);
    const { engine, policyId } = await bench.open();
    const messages = await engine.program.ledger.listMessages(policyId);
    const revocations = messages.filter(({ type }) => type === 'revoke').map(({ body }) => body as JsonObject);
    expect(revocations.map(({ reason, revokeMessage }) => [reason, revokeMessage])).toEqual([
      ['Document Revoked', 'moved away'],
      ['Parent Revoked', 'moved away'],
    ]);
  });
});
