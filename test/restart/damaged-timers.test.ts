/** Damage to the timers of one policy in a folder of files: the others go on, and after a repair all of them do. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { openLowdbStore, repairStore } from '@blockwork/store-lowdb';
import { SimulatedClock, SimulatedDisk, SimulatedTimers } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { HOUR, hourlyBlock, hourlyPolicy } from '../support/hourly-block.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const folder = '/store';

const disk = new SimulatedDisk();
const clock = new SimulatedClock();

/** An engine on the folder, with what the test does to it. */
async function started() {
  const timers = new SimulatedTimers(clock);
  const store = await openLowdbStore({ folder, fileSystem: disk });
  const engine: PolicyEngine = createEngine({ store, clock, timers, blocks: [hourlyBlock] });
  const countOf = async (id: string): Promise<number> => Number(await engine.readBlock(owner, id, { tag: 'clock' }));
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      timers.advance(HOUR / 10);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const untilTicked = async (id: string): Promise<void> => {
    const before = await countOf(id);
    await until(async () => (await countOf(id)) > before);
  };
  const stuck = async () => (await engine.program.getReadiness()).stuck;
  return { engine, store, until, untilTicked, stuck };
}

it('stops only the timers of that policy, visibly, and a repair sets them again', async () => {
  const first = await started();
  for (const id of ['one', 'two']) {
    await first.engine.importPolicy(owner, hourlyPolicy(id));
    await first.engine.lifecycle.publish(owner, id, '1.0.0');
  }
  await first.untilTicked('one');
  const date = new Date(clock.now() + 1000 * HOUR).toISOString();
  await first.engine.lifecycle.discontinue(owner, 'one', date);
  const listed = await first.engine.timers.list(owner, 'one');
  expect(listed.items.map(({ type }) => type)).toEqual(['tick', 'discontinue']);
  await first.engine.close();
  const path = disk.paths.find((each) => each.includes('/snapshots/instance.timer~002fone.')) ?? 'none';
  disk.put(path, Buffer.from(disk.contentOf(path).toString().replace('"due":', '"duE":')));

  const damaged = await started();
  await damaged.untilTicked('two');
  await damaged.untilTicked('two');
  const because = expect.stringContaining('timer~002fone') as string;
  await damaged.until(async () => (await damaged.stuck()).length > 0);
  expect(await damaged.stuck()).toMatchObject([{ work: 'timers', id: 'one', reason: because }]);
  expect(await damaged.engine.program.getBacklog()).toMatchObject({ stuck: { timers: 1 } });
  await damaged.engine.close();

  const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
  expect(damage).toMatchObject([
    { reason: expect.stringContaining('checksum') as string, records: ['one/tick/clock', 'one/discontinue'] },
  ]);
  const repaired = await started();
  await repaired.untilTicked('one');
  await repaired.untilTicked('two');
  const { items } = await repaired.engine.timers.list(owner, 'one');
  expect(items).toMatchObject([
    { type: 'tick', tag: 'clock' },
    { type: 'discontinue', due: date },
  ]);
  expect(await repaired.stuck()).toEqual([]);
  await repaired.engine.close();
});
