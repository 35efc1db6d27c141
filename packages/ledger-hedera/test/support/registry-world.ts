/** An engine whose owner of policies has a registry on the fake network, with a key that is known. */
import { BlockworkError, createEngine, SeededKeys, type Keys } from '@blockwork/core';
import { afterEach, expect } from 'vitest';
import { cidOf, hederaDids } from '../../src/index.js';
import type { HederaLedgerOptions } from '../../src/options.js';
import { startBench } from './bench.js';
import { ReferenceReader, type ReadMessage } from './reference-reader.js';

export const INITIALIZATION = '0.0.8000';
export const PARENT = '0.0.9000';

const seeded = new SeededKeys(new Uint8Array(32).fill(5));
export const { did, document: ownerDocument } = hederaDids({ network: 'fake', topic: '0.0.4711' }).identityOf(
  await seeded.publicKey('registry'),
);
export const registry = { did, role: 'STANDARD_REGISTRY' };
export const elsewhere = did.replace(':fake:', ':testnet:');
const known = new Set([did, elsewhere]);
/** Those of the registry only. */
const keyOf = (name: string): string => {
  if (!known.has(name) && name.startsWith('did:hedera:'))
    throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did: name } });
  return known.has(name) ? 'registry' : name;
};
const keys: Keys = {
  publicKey: async (name) => seeded.publicKey(keyOf(name)),
  sign: async (name, bytes) => seeded.sign(keyOf(name), bytes),
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };

export function world(options: Partial<HederaLedgerOptions> = {}) {
  const files = new Map<string, Uint8Array>();
  const put = (content: Uint8Array): Promise<string> => {
    files.set(cidOf(content), content);
    return Promise.resolve(cidOf(content));
  };
  const bench = startBench({ files: { put }, initializationTopic: INITIALIZATION, ...options });
  for (const topic of [INITIALIZATION, PARENT])
    bench.ledger.topics.set(topic, { memo: '', submitKey: '', messages: [] });
  const start = () => {
    const engine = createEngine({ store: bench.store, ledger: bench.open(), clock: bench.clock, keys });
    closing.push(() => engine.close());
    return engine;
  };
  const publish = async (engine = start(), owner = registry, name = 'Solar') => {
    const { policy } = await engine.importPolicy(owner, { name, policyTag: name, config });
    await engine.lifecycle.publish(owner, policy.id, '1.0.0');
    await engine.program.ledger.idle();
    expect((await engine.program.getBacklog()).settlements).toBe(0);
    return engine;
  };
  const read = () => {
    const reader = new ReferenceReader(bench.network);
    return { reader, messages: reader.read(INITIALIZATION) };
  };
  return { ...bench, files, publish, start, read };
}

export const kind = ({ content }: ReadMessage) => `${String(content['type'])}.${String(content['action'])}`;
export const inTopic = (messages: readonly ReadMessage[], at: string) => messages.filter(({ topic }) => topic === at);
export const ofKind = (messages: readonly ReadMessage[], wanted: string) =>
  messages.filter((each) => kind(each) === wanted);
