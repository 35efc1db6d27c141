/** Tests a whole policy through its users: a producer reports, the registry approves, credits are minted. */
import { readFileSync } from 'node:fs';
import { policyBench } from '@blockwork/testing';
import { expect, test } from 'vitest';

const policy = JSON.parse(readFileSync(new URL('sunlight.policy.json', import.meta.url), 'utf8')) as object;

const report = { document: { site: 'Roof', kilowattHours: 12.5 }, ref: null };

async function reported() {
  const bench = policyBench(policy);
  const alice = bench.as('alice');
  await alice.choose({ role: 'Producer' });
  await alice.send('report', report);
  return { bench, alice };
}

test('an approved report becomes credits of its producer', async () => {
  const { bench, alice } = await reported();

  const row = await bench.owner.row('all_reports', { 'option.status': 'Waiting' });
  await bench.owner.press('decide', 'Approve', row);

  expect(await alice.row('my_reports')).toMatchObject({ option: { status: 'Approved' } });
  expect(await bench.minted('SUN')).toEqual({
    mints: 1,
    units: 1250n,
    amounts: ['12.50'],
    accounts: { [await alice.account()]: 1250n },
  });
});

test('a rejected report becomes nothing', async () => {
  const { bench, alice } = await reported();

  await bench.owner.press('decide', 'Reject', await bench.owner.row('all_reports'));

  expect(await alice.row('my_reports')).toMatchObject({ option: { status: 'Rejected' } });
  expect((await bench.minted('SUN')).units).toBe(0n);
});

test('a producer sees nothing of what others reported, and decides nothing', async () => {
  const { bench, alice } = await reported();
  const bob = bench.as('bob');
  await bob.choose({ role: 'Producer' });

  expect(await bob.grid('my_reports')).toEqual([]);
  await expect(alice.press('decide', 'Approve', await alice.row('my_reports'))).rejects.toThrow('not open');
  expect((await bench.minted('SUN')).units).toBe(0n);
});

test('a report that is no report is refused, and nothing is stored', async () => {
  const { bench, alice } = await reported();

  const wrong = { document: { site: 'Roof', kilowattHours: -1 }, ref: null };
  await expect(alice.send('report', wrong)).rejects.toMatchObject({ status: 422 });

  expect(await bench.documents({ type: 'report' })).toHaveLength(1);
});

test('the journal tells what happened', async () => {
  const { bench } = await reported();
  await bench.owner.press('decide', 'Approve', await bench.owner.row('all_reports'));

  const approval = (await bench.journal()).at(-1);

  expect(approval?.cause).toMatchObject({ type: 'send', tag: 'decide', did: bench.owner.did });
  const runs = approval?.events.filter(({ input }) => input === 'RunEvent');
  expect(runs?.map(({ target }) => target)).toEqual(['save_approved', 'mint']);
});
