/** The policy of a block view, and hooks that read and send for it. */
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { BlockworkApiError } from '@blockwork/client';
import { createContext, useContext } from 'react';
import { useClient } from '../api/server.js';

interface PolicyOfPage {
  readonly id: string;
  /** DID of the active person. */
  readonly person: string;
  readonly status: string;
  /** The tree of its blocks. */
  readonly config: Readonly<Record<string, unknown>>;
}

export const PolicyContext = createContext<PolicyOfPage>({ id: '', person: '', status: '', config: {} });

/** A child block in its parent's response. */
export interface Slot {
  readonly id: string;
  readonly blockType: string;
  readonly uiMetaData?: Readonly<Record<string, unknown>> | null;
}

export interface BlockProps {
  readonly block: Slot;
}

type ReadQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The response of a block. Its shape depends on the policy; the type argument is what the view of the block type expects.
 * `refetchInterval`: milliseconds, for data without events.
 */
export function useBlock<Answer>(
  uuid: string,
  query: ReadQuery = {},
  options: { readonly refetchInterval?: number } = {},
): UseQueryResult<Answer> {
  const { id, person } = useContext(PolicyContext);
  const client = useClient();
  return useQuery({
    ...options,
    queryKey: ['block', id, person, uuid, query],
    queryFn: async ({ signal }) =>
      (await client.policy(id).block({ uuid }).read<Answer | null>(query, { signal })) as Answer,
    placeholderData: (previous) => previous,
  });
}

/** The response of a block addressed by its tag, such as the block of a grid's column. */
export function useTaggedBlock<Answer>(tag: string): UseQueryResult<Answer> {
  const { id, person } = useContext(PolicyContext);
  const client = useClient();
  return useQuery({
    queryKey: ['block', id, person, `tag:${tag}`],
    queryFn: async ({ signal }) => (await client.policy(id).block(tag).read<Answer | null>({}, { signal })) as Answer,
    retry: false,
  });
}

/** The response of an open block; data cached before the block was closed is discarded. */
export const openAnswer = <Answer>({ data, error }: UseQueryResult<Answer>): Answer | undefined =>
  error instanceof BlockworkApiError && closed.has(error.status) ? undefined : data;

/** Statuses of a block that is forbidden, missing, or currently closed. */
const closed: ReadonlySet<number> = new Set([403, 404, 409]);

/** Sends data to a block, then refetches everything visible, since any block may have changed. */
export function useSend(block: string | { readonly uuid: string }): UseMutationResult {
  const { id } = useContext(PolicyContext);
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (data: unknown) =>
      client
        .policy(id)
        .block(block)
        .send(data as never),
    onSuccess: async () => queries.invalidateQueries(),
  });
}
