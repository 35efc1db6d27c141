/** What the log and the operator are told of background work that fails: what it is, for whom, and when it is tried again. */
import { expect, it } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { MemoryLink } from '../memory/link/memory-link.js';
import { MemoryLinkHub } from '../memory/link/memory-link-hub.js';
import type { Change, LogFields } from '../ports/index.js';
import { INSTANCE, type RecordKind } from '../records/index.js';
import { Inspections, type Inspection } from '../telemetry/index.js';
import { Executor } from '../transactions/index.js';
import { JournalRetention } from './journal-retention.js';
import { LedgerOutbox } from './ledger-outbox.js';
import { MessageOutbox } from './message-outbox.js';
import { TimerQueue } from './timer-queue.js';

const publicationOf = () => Promise.reject(new Error('There are no files here.'));

const failure = new Error('the ledger is away');

function world() {
  const logged: [string, string, LogFields | undefined][] = [];
  const inspected: Inspection[] = [];
  const inspections = new Inspections({ inspector: (inspection) => void inspected.push(inspection) });
  const around = { ...simulatedWorld(), inspections };
  const log = (level: string) => (message: string, fields?: LogFields) => void logged.push([level, message, fields]);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const put = async (
    service: { committed(changeSet: unknown): void },
    kind: RecordKind,
    partition: string,
    ...values: object[]
  ) => {
    const changes = values.map((value) => ({ op: 'put', kind, partition, value }) as unknown as Change);
    await around.store.commit({ expect: {}, changes });
    service.committed({ expect: {}, changes });
  };
  return { ...around, logger, logged, inspected, put };
}

it('timers of a policy that fail are told with their policy', async () => {
  const { logged, inspected, put, toNextWakeUp, ...around } = world();
  const fails = { carryOut: () => Promise.reject(failure) };
  const handlers = { tick: fails, retry: fails, discontinue: fails, restore: fails };
  const queue = new TimerQueue({ ...around, handlers });
  const timer = { id: 't', type: 'tick', policyId: 'p', due: around.clock.now(), tag: 'clock' };
  await put(queue, 'timer', INSTANCE, timer);
  await toNextWakeUp(queue);
  expect(logged).toEqual([
    [
      'error',
      'The timers of a policy are stuck and will be retried; those of other policies are not affected.',
      { policyId: 'p', failures: 1, retryInMs: 5_000, error: failure },
    ],
  ]);
  expect(inspected).toEqual([{ type: 'background.stuck', work: 'timers', id: 'p', failures: 1 }]);
  expect(queue.stuck()).toEqual([
    {
      work: 'timers',
      id: 'p',
      failures: 1,
      retryAt: new Date(around.clock.now() + 5_000).toISOString(),
      reason: 'the ledger is away',
    },
  ]);
});

it('a timer that is given up is told with its policy, its type and its id', async () => {
  const { logged, put, ...around } = world();
  const bug = new TypeError('a bug');
  const givenUp: unknown[] = [];
  const gives = {
    carryOut: () => Promise.reject(bug),
    giveUp: async ({ id }: { readonly id: string }, error: unknown) => {
      givenUp.push(error);
      await around.store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'timer', partition: INSTANCE, id }] });
    },
  };
  const queue = new TimerQueue({
    ...around,
    handlers: { tick: gives, retry: gives, discontinue: gives, restore: gives },
  });
  const timer = { id: 't', type: 'tick', policyId: 'p', due: around.clock.now(), tag: 'clock' };
  await put(queue, 'timer', INSTANCE, timer);
  await queue.runDue();
  expect([logged, givenUp, queue.stuck()]).toEqual([
    [['error', 'A timer could not be carried out.', { policyId: 'p', type: 'tick', timer: 't', error: bug }]],
    [bug],
    [],
  ]);
});

it('a journal that cannot be shortened is told with its policy', async () => {
  const { logged, inspected, put, store, ...around } = world();
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const retention = new JournalRetention({ ...around, store, executor, limits: { journalEntries: 1 } });
  store.count = () => Promise.reject(failure);
  await put(retention, 'journal', 'p', { id: '1' });
  await retention.idle();
  expect(logged).toEqual([
    [
      'error',
      'The journal of a policy could not be shortened; it will be retried.',
      { policyId: 'p', failures: 1, retryInMs: 1_000, error: failure },
    ],
  ]);
  expect(inspected).toEqual([{ type: 'background.stuck', work: 'journal', id: 'p', failures: 1 }]);
});

it('effects that the ledger does not settle are told one by one, and those that are lost with their policy', async () => {
  const { logged, inspected, put, ...around } = world();
  const ledger = { settle: () => Promise.reject(failure) } as never;
  const outbox = new LedgerOutbox({ ...around, ledger, publicationOf });
  await put(outbox, 'ledger-effect', 'p', { id: 'e', policyId: 'p', type: 'mint' });
  await put(outbox, 'settlement', INSTANCE, { id: 'e', policyId: 'p' });
  await outbox.idle();
  expect(logged).toEqual([
    [
      'warn',
      'The ledger did not settle an effect; it will be retried.',
      { policyId: 'p', effectId: 'e', failures: 1, error: failure },
    ],
  ]);
  expect(inspected).toEqual([{ type: 'ledger.unsettled', policyId: 'p', effectId: 'e', reason: 'the ledger is away' }]);
  expect(outbox.stuck()).toMatchObject([{ work: 'settlement', id: 'p', failures: 1, reason: 'the ledger is away' }]);
});

it('a message that is not sent is told with its topic, and so are those that cannot be deleted', async () => {
  const { logged, inspected, put, timers, toNextWakeUp, ...around } = world();
  const link = new MemoryLink({ hub: new MemoryLinkHub({ clock: around.clock }), timers });
  const publish = link.publish.bind(link);
  link.publish = () => Promise.reject(failure);
  const outbox = new MessageOutbox({ ...around, timers, link });
  await put(outbox, 'outbox', INSTANCE, { id: 'm', topic: 'instance/south', message: {}, createdAt: '' });
  await outbox.idle();
  expect(logged.splice(0)).toEqual([
    [
      'warn',
      'A message was not sent; it will be retried.',
      { id: 'm', topic: 'instance/south', failures: 1, error: failure },
    ],
  ]);
  expect(inspected).toEqual([{ type: 'outbox.failed', id: 'm', topic: 'instance/south', attempts: 1 }]);
  expect(outbox.stuck()).toMatchObject([{ work: 'outbox', id: 'm', failures: 1, reason: 'the ledger is away' }]);
  link.publish = publish;
  around.store.commit = () => Promise.reject(failure);
  await toNextWakeUp(outbox);
  expect(logged).toEqual([
    [
      'warn',
      'Sent messages could not be deleted from the outbox and will be sent again.',
      { ids: ['m'], error: failure },
    ],
  ]);
});
