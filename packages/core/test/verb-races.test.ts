import { isBlockworkError } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import type { PolicyEngine } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { ana, openWorld, owner, policy, soon, voteFor } from './conversation-fixtures.js';

interface Told {
  readonly verb: string;
  /** `done`, or the error. */
  readonly outcome: string;
}

const winner: Readonly<Record<string, string>> = { approve: 'COMPLETED', reject: 'REJECTED' };

describe('approving, rejecting and canceling one request from many callers at once', () => {
  it.each(Array.from({ length: 12 }, (_, round) => round))(
    'lets one win, and tells the others what stands (%i)',
    async (round) => {
      const world = await openWorld();
      const { north, south } = world;
      const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
      const incoming = await soon(async () => {
        const [row] = await south.store.find('request', INSTANCE);
        if (row === undefined) throw new Error('Nothing has come in.');
        return row;
      });
      // A second engine on the same store stands for a second process: the lanes of the one do not hold for the other.
      const other: PolicyEngine = south.another();
      const outcomes: Told[] = [];
      const attempt = async (verb: string, act: () => Promise<unknown>): Promise<void> => {
        const outcome = await act().then(
          () => 'done',
          (error: unknown) =>
            isBlockworkError(error) ? `${error.code} ${String(error.facts['status'] ?? '')}` : String(error),
        );
        outcomes.push({ verb, outcome });
      };
      let turns = 0;
      const requests = (): PolicyEngine['requests'] => ((turns += 1) % 2 === 0 ? south.engine : other).requests;
      const verbs = [
        () => attempt('approve', () => requests().approveAsOffered(owner.south, incoming.messageId)),
        () => attempt('reject', () => requests().reject(owner.south, incoming.messageId)),
        () => attempt('cancel', () => north.engine.requests.cancel(ana, messageId)),
      ];
      await Promise.all(Array.from({ length: 30 }, async (_, at) => verbs[(at * (round + 1) + round) % 3]?.()));
      const closed = await soon(async () => {
        const row = await north.store.get('request', INSTANCE, messageId);
        if (row === undefined || row.status === 'NEW') throw new Error('It is still open.');
        return row;
      });
      const there = await south.store.get('request', INSTANCE, incoming.messageId);
      expect(there?.status).toBe(closed.status);
      for (const { verb, outcome } of outcomes) {
        if (verb === 'cancel') continue;
        expect(outcome).toBe(winner[verb] === closed.status ? 'done' : `REQUEST_CLOSED ${closed.status}`);
      }
      expect(await south.store.count('document', policy.id)).toBe(closed.status === 'COMPLETED' ? 1 : 0);
      await other.close();
      await world.close();
    },
  );
});
