/** Units whose ground is taken away while they run. */
import { expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import { isBlockworkError } from '../errors.js';
import type { DocumentRecord } from '../records/kinds.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';

const KEY = revisionKeys.policy.of('p');

it('a unit reads nothing more of what it stands on once that has failed, and is run again', async () => {
  const store = new SlowStore();
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await turn();
  };
  const below = executor
    .run(lanes.policy.of('p'), [KEY], (unit) => {
      unit.put('document', 'p', { id: 'a', option: {}, document: {} } as unknown as DocumentRecord);
      return Promise.resolve();
    })
    .catch((error: unknown) => (isBlockworkError(error) ? error.code : String(error)));
  await turns();
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => (free = resolve));
  const reads: unknown[] = [];
  const above = executor.run(lanes.policy.of('p'), [KEY], async (unit) => {
    const read = async (): Promise<void> => {
      reads.push(
        await unit.get('document', 'p', 'a').then(
          (record) => record?.id,
          (error: unknown) => (isBlockworkError(error) ? error.code : String(error)),
        ),
      );
    };
    await read();
    await freed;
    await read();
  });
  await turns();
  await store.fail();
  await turns();
  free();
  expect([await below, (await above).attempts]).toEqual(['STORE_UNAVAILABLE', 2]);
  expect(reads).toEqual(['a', 'CONFLICT', undefined, undefined]);
});
