/** An engine that publishes policies over the fake network, and what a reader of the reference finds of them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine } from '@blockwork/core';
import { afterEach, expect } from 'vitest';
import { cidOf, type FileStore } from '../../src/index.js';
import { startBench } from './bench.js';
import { fileBlocks } from './file-blocks.js';
import { ReferenceReader, type ReadMessage } from './reference-reader.js';

export const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
export const ANNOUNCED = '0.0.9000';

const closing: (() => unknown)[] = [];
/** Called after the test, the last one first. */
export const atEnd = (close: () => unknown): number => closing.push(close);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export const solar = {
  name: 'Solar',
  description: 'Counts what the sun gives',
  topicDescription: 'For panels',
  policyTag: 'solar',
  config: { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] },
};

/** An engine over the fake network, with a topic in which policies are announced, and a store of files. */
export function world(without?: 'files' | 'parentTopic') {
  const files = new Map<string, Uint8Array>();
  const store: FileStore = {
    put: (bytes) => {
      files.set(cidOf(bytes), bytes);
      return Promise.resolve(cidOf(bytes));
    },
  };
  const places = {
    ...(without !== 'files' && { files: store }),
    ...(without !== 'parentTopic' && { parentTopic: ANNOUNCED }),
  };
  const bench = startBench(places);
  bench.ledger.topics.set(ANNOUNCED, { memo: '', submitKey: '', messages: [] });
  const engine = createEngine({ store: bench.store, ledger: bench.open() });
  atEnd(() => engine.close());
  const publish = async (source: object = solar, version = '1.0.0') => {
    const { policy } = await engine.importPolicy(registry, source);
    await engine.lifecycle.publish(registry, policy.id, version);
    await engine.program.ledger.idle();
    expect((await engine.program.getBacklog()).settlements).toBe(0);
    return policy;
  };
  const reader = () => {
    const reader = new ReferenceReader(bench.network);
    return { reader, messages: reader.read(ANNOUNCED) };
  };
  return { ...bench, engine, files, publish, reader };
}

export const ofType = (messages: readonly ReadMessage[], type: string) =>
  messages.filter(({ content }) => content['type'] === type);

/** A gateway over HTTP with the blocks of these files. */
export async function gateway(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const blocks = new Map([...files.values()].flatMap((file) => [...fileBlocks(file).blocks]));
  const server = createServer((request, reply) => {
    const block = blocks.get(/^\/ipfs\/(\w+)\?format=raw$/.exec(request.url ?? '')?.[1] ?? '');
    if (block === undefined) reply.writeHead(404).end();
    else reply.writeHead(200).end(block);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
