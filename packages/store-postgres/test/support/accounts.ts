/**
 * Engines over replicated servers, and what must agree whatever happens to the servers: each balance with its
 * documents, on every node.
 */
import { createEngine, SeededKeys, type Inspection, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../../src/index.js';
import { blocks, owner, policyNamed } from './cluster-policy.js';

export interface Node {
  readonly engine: PolicyEngine;
  readonly store: PostgresStore;
  readonly seen: Inspection[];
}

export async function startNode(address: string, options: Partial<PostgresStoreOptions> = {}): Promise<Node> {
  const store = await openPostgresStore({ address, patienceMs: 30_000, readConnections: 4, ...options });
  const seen: Inspection[] = [];
  const keys = new SeededKeys(Buffer.alloc(32, 7));
  const engine = createEngine({ store, blocks, keys, inspector: (inspection) => void seen.push(inspection) });
  return { engine, store, seen };
}

/** `ticks`: whether documents are also added by a timer. */
export async function startPolicy({ engine }: Node, id: string, { ticks = false } = {}): Promise<void> {
  const account = block('interfaceContainerBlock', 'root', { children: [block('testAccount', 'account')] });
  await engine.importPolicy(owner, { ...policyNamed(id), ...(!ticks && { config: account }) });
  await engine.lifecycle.dryRun(owner, id);
}

export interface Total {
  readonly sum: number;
  readonly sends: number;
}

export const send = async ({ engine }: Node, policyId: string, n: number, key?: string): Promise<Total> =>
  (await engine.sendToBlock(owner, policyId, { tag: 'account' }, { n }, { idempotencyKey: key })) as unknown as Total;

/** What the documents of the account sum to. */
export async function paid({ store }: Pick<Node, 'store'>, policyId: string): Promise<Total> {
  const documents = await store.find('document', policyId, { where: { path: 'type', op: 'eq', value: 'payment' } });
  const sum = documents.reduce((total, { document }) => total + Number(document['n']), 0);
  return { sum, sends: documents.length };
}
