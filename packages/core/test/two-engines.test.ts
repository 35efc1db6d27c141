import { isBlockworkError } from '@blockwork/core';
import type { PolicyEngine, RemoteRequest } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ana, openWorld, owner, policy, soon, voteFor, type World } from './conversation-fixtures.js';

let world: World;
/** Of two engines on one store, as in two processes: the lanes of one do not hold for the other. */
let engines: readonly [PolicyEngine, PolicyEngine];
let request: RemoteRequest;

beforeEach(async () => {
  world = await openWorld();
  const { north, south } = world;
  engines = [south.engine, south.another()];
  await north.engine.requests.ask(ana, voteFor('yes'));
  request = await soon(async () => {
    const [row] = await south.store.find('request', INSTANCE);
    if (row === undefined) throw new Error('Nothing has come in.');
    return row;
  });
  await world.quiet();
});
afterEach(async () => {
  await engines[1].close();
  await world.close();
});

/** Both engines come to their commit before either is let through, the one that closes the request as `first` before the other. */
async function together<T>(
  first: string,
  act: (engine: PolicyEngine, at: number) => Promise<T>,
): Promise<(T | string)[]> {
  const pending: { readonly status: string; readonly go: () => void }[] = [];
  const { store } = world.south;
  const commit = store.commit.bind(store);
  store.commit = async (changeSet: ChangeSet) => {
    if (pending.length < 2) {
      await new Promise<void>((go) => {
        pending.push({ status: statusIn(changeSet), go });
        if (pending.length === 2) setImmediate(() => inOrder(pending, first).forEach((each) => each.go()));
      });
    }
    return commit(changeSet);
  };
  return Promise.all(
    engines.map((engine, at) =>
      act(engine, at).catch((error: unknown) =>
        isBlockworkError(error) ? `${error.code} ${String(error.facts['status'])}` : Promise.reject(error as Error),
      ),
    ),
  );
}
const statusIn = ({ changes }: ChangeSet): string =>
  changes.flatMap((change) => (change.kind === 'request' && change.op === 'put' ? [change.value.status] : [])).join();
const inOrder = <T extends { readonly status: string }>(all: readonly T[], first: string): T[] =>
  [...all].sort((a, b) => Number(b.status === first) - Number(a.status === first));
const votes = (): Promise<number> => world.south.store.count('document', policy.id);
const status = async (): Promise<string | undefined> =>
  (await world.south.store.get('request', INSTANCE, request.id))?.status;

describe('two engines on one store that decide at the same moment', () => {
  it('carry out an approval once, and both answer with the record', async () => {
    const [one, other] = await together('COMPLETED', ({ requests }) =>
      requests.approveAsOffered(owner.south, request.messageId),
    );
    expect(one).toMatchObject({ id: policy.id });
    expect(other).toEqual(one);
    expect(await votes()).toBe(1);
  });

  it.each(['COMPLETED', 'REJECTED'])('let an approval or a rejection win, never both (%s)', async (winner) => {
    const outcomes = await together(winner, async ({ requests }, at) => {
      if (at === 0) await requests.approveAsOffered(owner.south, request.messageId);
      else await requests.reject(owner.south, request.messageId);
      return 'done';
    });
    const loser = `REQUEST_CLOSED ${winner}`;
    expect(outcomes).toEqual(winner === 'COMPLETED' ? ['done', loser] : [loser, 'done']);
    expect(await status()).toBe(winner);
    expect(await votes()).toBe(winner === 'COMPLETED' ? 1 : 0);
  });
});
