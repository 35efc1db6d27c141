/** Recordings of trials: what people sent becomes a script that passes, and that fails where the policy changes. */
import { readFileSync } from 'node:fs';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, type Caller, type EngineLimits, type JsonObject } from '@blockwork/core';
import { describeFailures, openScenarioWorld, readScript, runScenario } from '@blockwork/explorer';
import { SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';

const sunlight = JSON.parse(
  readFileSync(new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url), 'utf8'),
) as object;
const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
const alice: Caller = { did: 'did:example:alice', role: 'USER' };
const stranger: Caller = { did: 'did:example:stranger', role: 'STANDARD_REGISTRY' };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function world(limits: Partial<EngineLimits> = {}, source: object = sunlight) {
  const clock = new SimulatedClock();
  const ports = { clock, timers: new SimulatedTimers(clock), ids: new SequentialIds(), limits };
  const engine = createEngine({ ...ports, blocks: standardBlocks() });
  opened.push(engine);
  const { id: policyId } = (await engine.importPolicy(owner, source)).policy;
  await engine.lifecycle.dryRun(owner, policyId);
  const send = async (caller: Caller, tag: string, data: unknown) => {
    clock.advance(1000);
    return engine.sendToBlock(caller, policyId, { tag }, data);
  };
  const rows = async (caller: Caller, tag: string) =>
    (await engine.readBlock<{ data: JsonObject[] }>(caller, policyId, { tag })).data;
  const person = async (name: string) => {
    const { did } = await engine.trials.addUser(owner, policyId, name);
    return engine.trials.caller(owner, policyId, did);
  };
  return { engine, clock, policyId, send, rows, person };
}

async function failuresOf(script: unknown, policy: object = sunlight): Promise<string> {
  const played = await openScenarioWorld(policy);
  try {
    return describeFailures('recorded', await runScenario(script, played));
  } finally {
    await played.close();
  }
}

const report = (site: string, kilowattHours = 12.5) => ({ document: { site, kilowattHours }, ref: null });

describe('a recording', () => {
  it('is a script that passes, in which people take rows from where they saw them', async () => {
    const { engine, policyId, send, rows, person } = await world();
    await send(alice, 'choose_role', { role: 'Producer' });
    await engine.trials.record(owner, policyId);
    expect(await rows(owner, 'all_reports')).toEqual([]);
    const ana = await person('Ana Maria');
    await send(ana, 'choose_role', { role: 'Producer' });
    await send(ana, 'report', report('Roof'));
    await send(ana, 'report', report('Field', 3));
    await send(alice, 'choose_role', { role: 'Producer' });
    await send(alice, 'report', report('Barn'));
    await expect(send(alice, 'decide', { tag: 'Approve', document: null })).rejects.toMatchObject({ status: 403 });
    const approve = async (site: string, tag: string): Promise<void> => {
      const all = await rows(owner, 'all_reports');
      const document = all.find((row) => JSON.stringify(row).includes(site));
      await send(owner, 'decide', { tag, document });
    };
    await approve('Field', 'Approve');
    await approve('Barn', 'Reject');
    const script = await engine.trials.scenario(owner, policyId);
    expect(script.slice(0, 5)).toMatchObject([
      { n: 1, as: 'Ana_Maria', method: 'POST', tag: 'choose_role', body: { role: 'Producer' } },
      { as: 'Ana_Maria', tag: 'report', body: report('Roof') },
      { as: 'Ana_Maria', tag: 'report', body: report('Field', 3) },
      { as: 'alice', tag: 'choose_role' },
      { as: 'alice', tag: 'report' },
    ]);
    const where = { 'document.credentialSubject.0.site': 'Field' };
    expect(script.slice(5, 7)).toEqual([
      { n: 6, as: 'owner', method: 'GET', tag: 'all_reports', save: { row6: { where } }, expect: {} },
      {
        n: 7,
        as: 'owner',
        method: 'POST',
        tag: 'decide',
        body: { tag: 'Approve', document: { $row: 'row6' } },
        expect: {},
      },
    ]);
    expect(script.slice(9)).toEqual([
      { n: 10, as: 'owner', method: 'GET', tag: 'all_reports', expect: { count: 3 } },
      { n: 11, as: 'Ana_Maria', method: 'GET', tag: 'my_reports', expect: { count: 2 } },
      {
        n: 12,
        as: 'alice',
        method: 'GET',
        tag: 'my_reports',
        expect: {
          count: 1,
          world: {
            vc: { 'user-role|-': 2, 'report|Waiting': 1, 'report|Approved': 1, 'report|Rejected': 1, 'mint|-': 1 },
            vp: { mint: 1 },
          },
        },
      },
    ]);
    expect(() => readScript(script)).not.toThrow();
    expect(await failuresOf(script)).toBe('');
    // A policy that does something else fails.
    const other = JSON.parse(JSON.stringify(sunlight).replace('"value":"Rejected"', '"value":"Declined"')) as object;
    expect(await failuresOf(script, other)).toContain('report|Rejected');
  });

  it('goes back with the trial, and goes on from there', async () => {
    const { engine, policyId, send } = await world();
    await engine.trials.record(owner, policyId);
    await send(alice, 'choose_role', { role: 'Producer' });
    const { id } = await engine.trials.makeSavepoint(owner, policyId, 'begun');
    await send(alice, 'report', report('Roof'));
    await engine.trials.stopRecording(owner, policyId);
    await send(alice, 'report', report('Unseen'));
    expect((await engine.trials.get(owner, policyId)).recording).toMatchObject({ steps: 2, isFull: false });
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect((await engine.trials.get(owner, policyId)).recording).toMatchObject({ steps: 1, stopDate: null });
    await send(alice, 'report', report('Field'));
    const script = await engine.trials.scenario(owner, policyId);
    expect(script.slice(0, 2)).toMatchObject([{ tag: 'choose_role' }, { body: { document: { site: 'Field' } } }]);
    expect(await failuresOf(script)).toBe('');
  });

  it('is nothing before something was sent, and nobody else gets it', async () => {
    const { engine, policyId, send } = await world();
    const { trials } = engine;
    await send(alice, 'choose_role', { role: 'Producer' });
    await expect(trials.scenario(owner, policyId)).rejects.toMatchObject({ code: 'RECORDING_UNKNOWN' });
    expect(await trials.stopRecording(owner, policyId)).toMatchObject({ recording: null });
    await trials.record(owner, policyId);
    await expect(trials.scenario(owner, policyId)).rejects.toMatchObject({ code: 'RECORDING_UNKNOWN' });
    for (const refused of [trials.record(stranger, policyId), trials.scenario(stranger, policyId)]) {
      await expect(refused).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    }
    await send(alice, 'choose_role', { role: 'Producer' });
    await engine.lifecycle.restart(owner, policyId);
    expect((await trials.get(owner, policyId)).recording).toBeNull();
    await expect(trials.scenario(owner, policyId)).rejects.toMatchObject({ code: 'RECORDING_UNKNOWN' });
  });

  it('ends at its limits, and is good as far as it goes', async () => {
    const { engine, policyId, send } = await world({ recordedSteps: 2 });
    await engine.trials.record(owner, policyId);
    await send(alice, 'choose_role', { role: 'Producer' });
    for (const site of ['Roof', 'Field', 'Barn']) await send(alice, 'report', report(site));
    expect((await engine.trials.get(owner, policyId)).recording).toMatchObject({ steps: 2, isFull: true });
    const script = await engine.trials.scenario(owner, policyId);
    expect(script).toHaveLength(2);
    expect(await failuresOf(script)).toBe('');
  });
});
