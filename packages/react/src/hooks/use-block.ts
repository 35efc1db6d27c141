/** What policies and their blocks show to the person who uses the page. */
import { BlockworkApiError, type BlockName, type PolicyClient } from '@blockwork/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useScope } from '../provider.js';
import type { Slot } from '../slot.js';

/** Of one answer: `page`, `itemsPerPage`, `sortField`, `sortDirection`, and values of filters by their tag or UUID. */
export type BlockQuery = Readonly<Record<string, string | number | boolean | undefined>>;

export interface BlockOptions {
  /** Milliseconds between reads, for data without events; default none. */
  readonly refetchInterval?: number;
  /** `false`: a refusal is final at once. By default, reads without an answer are repeated three times. */
  readonly retry?: false;
}

/**
 * The policy itself, with the roles and groups of the person in it.
 *
 * @example
 * const { data: policy, error } = usePolicy('sunlight');
 */
export function usePolicy(policyId: string): UseQueryResult<Awaited<ReturnType<PolicyClient['get']>>> {
  const { client, person } = useScope();
  return useQuery({
    queryKey: ['policy', policyId, person],
    queryFn: async ({ signal }) => client.policy(policyId).get({ signal }),
  });
}

/**
 * What a block shows, read again when it may have changed. Its shape depends on the block type: the type argument states what the
 * caller expects. While another page of a grid is read, the one before it stays.
 *
 * @example
 * const { data, error, isPending } = useBlock<{ data: Reading[] }>('sunlight', 'my_reports', { page: 1 });
 */
export function useBlock<Answer>(
  policyId: string,
  block: BlockName,
  query: BlockQuery = {},
  options: BlockOptions = {},
): UseQueryResult<Answer> {
  const { client, person } = useScope();
  const name = typeof block === 'string' ? `tag:${block}` : block.uuid;
  return useQuery({
    ...options,
    queryKey: ['block', policyId, person, name, query],
    queryFn: async ({ signal }) =>
      (await client.policy(policyId).block(block).read<Answer | null>(query, { signal })) as Answer,
    placeholderData: (previous) => previous,
  });
}

/**
 * The block that everything else of a policy is in.
 *
 * @example
 * const { data: root } = useRoot<Slot & { blocks: (Slot | null)[] }>('sunlight');
 */
export function useRoot<Answer = Slot>(policyId: string): UseQueryResult<Answer> {
  const { client, person } = useScope();
  return useQuery({
    queryKey: ['block', policyId, person, 'root'],
    queryFn: async ({ signal }) => client.policy(policyId).root<Answer>({ signal }),
  });
}

/**
 * The answer of a block that is open; `undefined` as soon as it is closed, whatever was read before.
 *
 * @example
 * const answer = openAnswer(useBlock<ButtonsAnswer>('sunlight', 'inspect'));
 */
export const openAnswer = <Answer>({
  data,
  error,
}: Pick<UseQueryResult<Answer>, 'data' | 'error'>): Answer | undefined =>
  error instanceof BlockworkApiError && closed.has(error.status) ? undefined : data;

/** Statuses of a block that is forbidden, missing, or currently closed. */
const closed: ReadonlySet<number> = new Set([403, 404, 409]);
