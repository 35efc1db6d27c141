/** Refetches queries that an event makes stale; counts, the most expensive ones, are throttled. */
import type { PolicyEvent } from '@blockwork/client';
import type { QueryClient } from '@tanstack/react-query';
import { blockNode, type BlockNode } from '../policy/tree/tree-model.js';
import { Rounds } from './rounds.js';
import { staleAfter, type QueryKey } from './stale-queries.js';

/** Pause between counts, as a multiple of their duration: with counts of 1 second, one starts every 5 seconds. */
const REST_AFTER_COUNTS = 4;

const isCount = ([kind]: QueryKey): boolean => kind === 'waiting';

export class Refresher {
  readonly #reads: Rounds;
  readonly #counts: Rounds;

  constructor(private readonly queries: QueryClient) {
    this.#reads = new Rounds(queries);
    this.#counts = new Rounds(queries, { rest: REST_AFTER_COUNTS });
  }

  note(event: PolicyEvent): void {
    const isStale = staleAfter(event, event.type === 'unit' ? this.#treeOf(event.policyId) : undefined);
    this.#reads.note((key) => !isCount(key) && isStale(key));
    this.#counts.note((key) => isCount(key) && isStale(key));
  }

  /** Refetches queries that failed while the server was unavailable. */
  recover(): void {
    void this.queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }

  #treeOf(policyId: string): BlockNode | undefined {
    const [known] = this.queries.getQueriesData<{ readonly config?: Readonly<Record<string, unknown>> }>({
      queryKey: ['policy', policyId],
    });
    const config = known?.[1]?.config;
    return config && blockNode(config);
  }
}
