import { INSTANCE, type RecordKind } from '@blockwork/core/records';
import { expect, it } from 'vitest';
import type { ChangeSet, NodeNotifier, NotifiedNames } from '../../ports/index.js';
import { CrossNodeWakeUps } from './cross-node-wake-ups.js';

/** Wake-ups over a notifier that notes what it announces, and workers that note that they were woken. */
function world() {
  const notified: (readonly string[])[] = [];
  const listeners = new Set<(names: NotifiedNames) => void>();
  const notifier: NodeNotifier = {
    notify: (...names) => void notified.push(names),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const woken: string[] = [];
  const worker = (name: string) => ({ wake: () => void woken.push(name) });
  const wakeUps = new CrossNodeWakeUps(notifier, {
    timer: [worker('timers')],
    settlement: [worker('ledger'), worker('report')],
  });
  const heard = (names: NotifiedNames): string[] => {
    for (const listener of [...listeners]) listener(names);
    return woken.splice(0);
  };
  return { wakeUps, notified, heard, listeners };
}

const change = (op: 'put' | 'delete', kind: RecordKind, partition: string = INSTANCE) =>
  (op === 'put'
    ? { op, kind, partition, value: { id: 'x' } }
    : { op, kind, partition, id: 'x' }) as ChangeSet['changes'][number];
const commit = (...changes: ChangeSet['changes'][number][]): ChangeSet => ({ expect: {}, changes });

it('a commit notifies once, of each kind of work that it leaves', () => {
  const { wakeUps, notified } = world();
  wakeUps.committed(commit(change('put', 'timer'), change('put', 'settlement'), change('put', 'timer')));
  expect(notified).toEqual([['timer', 'settlement']]);
});

it('a commit that leaves no work notifies of nothing', () => {
  const { wakeUps, notified } = world();
  wakeUps.committed(commit());
  wakeUps.committed(commit(change('delete', 'timer'), change('put', 'document'), change('put', 'timer', 'policy-1')));
  expect(notified).toEqual([]);
});

it('a ring wakes every worker of its kinds and no other, and all of them where some may have been missed', () => {
  const { wakeUps, heard } = world();
  expect(heard('all')).toEqual([]);
  wakeUps.start();
  expect(heard(new Set(['settlement']))).toEqual(['ledger', 'report']);
  expect(heard(new Set(['timer', 'unknown']))).toEqual(['timers']);
  expect(heard(new Set())).toEqual([]);
  expect(heard('all')).toEqual(['timers', 'ledger', 'report']);
});

it('it listens once, however often it is started, and no longer when it is stopped', async () => {
  const { wakeUps, heard, listeners } = world();
  await wakeUps.stop();
  wakeUps.start();
  wakeUps.start();
  expect(listeners.size).toBe(1);
  await wakeUps.idle();
  await wakeUps.stop();
  expect([listeners.size, heard('all')]).toEqual([0, []]);
});
