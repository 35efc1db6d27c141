/** Reads again what events name: one round at a time, so that a quick policy never keeps a slow read from ending. */
import type { PolicyEvent } from '@blockwork/client';
import type { QueryClient } from '@tanstack/react-query';
import { blockNode, type BlockNode } from '../policy/tree/tree-model.js';
import { staleAfter, type QueryKey } from './stale-queries.js';

export class Refresher {
  #waiting: ((key: QueryKey) => boolean)[] = [];
  #isRunning = false;

  constructor(private readonly queries: QueryClient) {}

  note(event: PolicyEvent): void {
    this.#waiting.push(staleAfter(event, event.type === 'unit' ? this.#treeOf(event.policyId) : undefined));
    if (!this.#isRunning) void this.#run();
  }

  /** Reads again what could not be read while the server was away. */
  recover(): void {
    void this.queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const tests = this.#waiting;
      this.#waiting = [];
      const predicate = ({ queryKey }: { queryKey: QueryKey }): boolean => tests.some((isStale) => isStale(queryKey));
      await this.queries.invalidateQueries({ predicate });
    }
    this.#isRunning = false;
  }

  #treeOf(policyId: string): BlockNode | undefined {
    const [known] = this.queries.getQueriesData<{ readonly config?: Readonly<Record<string, unknown>> }>({
      queryKey: ['policy', policyId],
    });
    const config = known?.[1]?.config;
    return config && blockNode(config);
  }
}
