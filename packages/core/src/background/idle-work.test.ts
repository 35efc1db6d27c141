/** Commits that leave nothing to do cost the services in the background no look at the store. */
import { expect, it, vi } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { MemoryLedger } from '../memory/memory-ledger.js';
import { MemoryLink } from '../memory/link/memory-link.js';
import { MemoryLinkHub } from '../memory/link/memory-link-hub.js';
import type { Change } from '../ports/index.js';
import { INSTANCE, type RecordKind } from '../records/index.js';
import { Inspections } from '../telemetry/index.js';
import { Executor } from '../transactions/index.js';
import { JournalRetention } from './journal-retention.js';
import { LedgerOutbox } from './ledger-outbox.js';
import { MessageOutbox } from './message-outbox.js';
import { TimerQueue } from './timer-queue.js';

const publicationOf = () => Promise.reject(new Error('There are no files here.'));

const inspections = new Inspections({});
const never = { carryOut: () => Promise.reject(new Error('Nothing is due.')) };

function services() {
  const around = { ...simulatedWorld(), inspections };
  const { store, timers } = around;
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const link = new MemoryLink({ hub: new MemoryLinkHub({}), timers });
  const handlers = { tick: never, retry: never, discontinue: never, restore: never };
  return {
    ...around,
    all: [
      ['settlement', new LedgerOutbox({ ...around, ledger: new MemoryLedger(), publicationOf })],
      ['outbox', new MessageOutbox({ ...around, link })],
      ['timer', new TimerQueue({ ...around, handlers })],
      ['journal', new JournalRetention({ ...around, executor, limits: { journalEntries: 10 } })],
    ] as const,
  };
}

const put = (kind: RecordKind): Change =>
  ({ op: 'put', kind, partition: INSTANCE, value: { id: 'x', policyId: 'p', due: 0 } }) as unknown as Change;
const removed = (kind: RecordKind): Change => ({ op: 'delete', kind, partition: INSTANCE, id: 'x' }) as Change;

it.each(['settlement', 'outbox', 'timer', 'journal'] as const)(
  'only what adds a %s wakes the service for it',
  async (kind) => {
    const { store, timers, all } = services();
    const asked = [vi.spyOn(store, 'find'), vi.spyOn(store, 'count')];
    const looks = (): number => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const [, service] = all.find(([name]) => name === kind) ?? all[0];
    const others = ['settlement', 'outbox', 'timer', 'journal', 'document'].filter((name) => name !== kind);
    service.committed({ expect: {}, changes: [...others.map((name) => put(name as RecordKind)), removed(kind)] });
    await service.idle();
    expect([looks(), timers.pending]).toEqual([0, []]);
    service.committed({ expect: {}, changes: [put('document'), put(kind)] });
    await service.idle();
    expect(looks() + timers.pending.length).toBeGreaterThan(0);
    await service.stop();
  },
);
