import { describe, expect, it } from 'vitest';
import { newIdentity, documentOf } from '../credentials/index.js';
import { SeededKeys, systemClock, systemTimers } from '../defaults/index.js';
import { MemoryStore } from '../memory/index.js';
import type { Logger } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import { keyCheck } from './key-check.js';

const seeded = (byte: number): SeededKeys => new SeededKeys(new Uint8Array(32).fill(byte));

/** A store with an identity made here, and one that has signed under a DID of its own. */
async function storeFilledWith(keys: SeededKeys): Promise<MemoryStore> {
  const store = new MemoryStore();
  const registry = {
    id: 'did:example:registry',
    document: documentOf('did:example:registry', [await keys.publicKey('did:example:registry')]),
  };
  const changes = [await newIdentity(keys, 'a'), registry].map(
    (value) => ({ op: 'put', kind: 'identity', partition: INSTANCE, value }) as const,
  );
  await store.commit({ expect: {}, changes });
  return store;
}

async function messagesWith(store: MemoryStore, keys: SeededKeys): Promise<[string, unknown][]> {
  const messages: [string, unknown][] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (...args) => void messages.push(args as [string, unknown]),
  };
  const check = keyCheck({ store, keys, clock: systemClock, timers: systemTimers, logger });
  check.start();
  await check.idle();
  await check.stop();
  return messages;
}

describe('the key check', () => {
  it('says nothing about the keys that the store was filled with, nor about an empty store', async () => {
    expect(await messagesWith(await storeFilledWith(seeded(1)), seeded(1))).toEqual([]);
    expect(await messagesWith(new MemoryStore(), seeded(1))).toEqual([]);
  });

  it('says at the start that the keys are those of another store, and how many identities lack theirs', async () => {
    const messages = await messagesWith(await storeFilledWith(seeded(1)), seeded(2));
    expect(messages).toEqual([
      [expect.stringContaining('lacks keys'), { checked: 2, foreign: 2, first: expect.stringMatching(/^did:key:/) }],
    ]);
  });
});
