import type { JournalEntry } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import { expect, it } from 'vitest';
import { Doors } from './policy-world.js';
import type { Player } from '../player.js';

const player = (did: string): Player => ({ name: did, caller: { did }, isOwner: false, account: '', role: null });
const [ann, bob] = [player('did:test:ann'), player('did:test:bob')];
const form = {} as BlockNode;

const unit = (cause: JournalEntry['cause'], ...dids: string[]): JournalEntry =>
  ({ cause, events: dids.map((did) => ({ did })) }) as unknown as JournalEntry;
const sentBy = ({ caller: { did } }: Player, ...dids: string[]) =>
  unit({ type: 'send', tag: 'x', did, group: null }, ...dids);

/** How often it was asked whether the form is open: to Ann, to Bob. */
async function askedAfter(entry: JournalEntry, groups: readonly unknown[] = []): Promise<[number, number]> {
  const doors = new Doors({ groups } as never);
  const asked: [number, number] = [0, 0];
  const look = () =>
    Promise.all(
      [ann, bob].map((each, at) =>
        doors.reason(each, form, () => {
          asked[at as 0 | 1] += 1;
          return Promise.resolve(null);
        }),
      ),
    );
  await look();
  await look();
  expect(asked).toEqual([1, 1]);
  doors.changed([entry]);
  await look();
  return asked;
}

it('whoever did something is asked for again, and whoever an event was for', async () => {
  expect(await askedAfter(sentBy(ann))).toEqual([2, 1]);
  expect(await askedAfter(sentBy(ann, bob.caller.did))).toEqual([2, 2]);
  expect(await askedAfter(unit({ type: 'tick', tag: 'x', due: '' }, bob.caller.did))).toEqual([1, 2]);
});

it('everybody is, where groups share what they have done, and after what is no work of a user', async () => {
  expect(await askedAfter(sentBy(ann), [{}])).toEqual([2, 2]);
  expect(await askedAfter(unit({ type: 'lifecycle', action: 'restart', did: '' }))).toEqual([2, 2]);
});
