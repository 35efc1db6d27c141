/**
 * Engines over replicated servers, and what must agree whatever happens to the servers: each balance with its
 * documents, on every node.
 */
import { createEngine, isBlockworkError, SeededKeys, type Inspection, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { expect } from 'vitest';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../../src/index.js';
import { blocks, owner, policyNamed } from './cluster-policy.js';

export interface Node {
  readonly engine: PolicyEngine;
  readonly store: PostgresStore;
  readonly seen: Inspection[];
}

export async function startNode(address: string, options: Partial<PostgresStoreOptions> = {}): Promise<Node> {
  const store = await openPostgresStore({ address, patienceMs: 30_000, readConnections: 4, ...options });
  const inspections: Inspection[] = [];
  const keys = new SeededKeys(Buffer.alloc(32, 7));
  const engine = createEngine({ store, blocks, keys, inspector: (inspection) => void inspections.push(inspection) });
  return { engine, store, seen: inspections };
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

/** Clients that send payments through all nodes, each again until it is acknowledged. Each amount is another one. */
export class Payments {
  readonly #nodes: readonly Node[];
  readonly #policyIds: readonly string[];
  /** The amounts of the acknowledged payments, by policy. */
  readonly #acknowledged: ReadonlyMap<string, Set<number>>;
  /** The codes with which payments were refused, before they were sent again. */
  readonly refusals = new Set<string>();
  readonly #watchers = new Set<() => void>();
  #clients: Promise<void>[] = [];
  #isRunning = false;
  #amount = 0;

  constructor(nodes: readonly Node[], policyIds: readonly string[]) {
    this.#nodes = nodes;
    this.#policyIds = policyIds;
    this.#acknowledged = new Map(policyIds.map((id) => [id, new Set<number>()]));
  }

  start(): void {
    this.#isRunning = true;
    this.#clients = this.#nodes.flatMap((node) => this.#policyIds.map((id) => this.#client(node, id)));
  }

  /** Resolves when every payment is acknowledged, and no more are sent. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
  }

  /** Resolves after this number of further acknowledgements. */
  acknowledged(count: number): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      const watch = (): void => {
        left -= 1;
        if (left > 0) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
    });
  }

  /** `isComplete`: whether every acknowledged payment must be there. */
  async check({ isComplete }: { readonly isComplete: boolean }): Promise<void> {
    for (const policyId of this.#policyIds) {
      for (const node of this.#nodes) {
        const answer = await this.#pay(node, policyId);
        for (const each of this.#nodes) expect(await paid(each, policyId)).toEqual(answer);
      }
      const where = { path: 'type', op: 'eq', value: 'payment' } as const;
      const documents = (await this.#nodes[0]?.store.find('document', policyId, { where })) ?? [];
      const amounts = documents.map(({ document }) => Number(document['n']));
      expect(new Set(amounts).size).toBe(amounts.length);
      if (isComplete) expect(amounts).toEqual(expect.arrayContaining([...(this.#acknowledged.get(policyId) ?? [])]));
    }
  }

  async #client(node: Node, policyId: string): Promise<void> {
    while (this.#isRunning) await this.#pay(node, policyId);
  }

  async #pay(node: Node, policyId: string): Promise<Total> {
    const amount = (this.#amount += 1);
    for (;;) {
      try {
        const total = await send(node, policyId, amount, `payment-${amount}`);
        this.#acknowledged.get(policyId)?.add(amount);
        for (const watch of this.#watchers) watch();
        return total;
      } catch (error) {
        if (!isBlockworkError(error) || error.status !== 503) throw error;
        this.refusals.add(error.code);
      }
    }
  }
}
