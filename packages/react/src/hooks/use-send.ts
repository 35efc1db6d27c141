/** Sends data to blocks. */
import type { BlockName } from '@blockwork/client';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../provider.js';

/**
 * Sends data to a block: everything that follows is committed, or nothing. Then all that the page shows is read again, since any
 * block may have changed. `error` is a `BlockworkApiError`.
 *
 * @example
 * const send = useSend('sunlight', 'choose_role');
 * return <button disabled={send.isPending} onClick={() => send.mutate({ role: 'Producer' })}>I produce</button>;
 */
export function useSend(policyId: string, block: BlockName): UseMutationResult {
  const { client } = useScope();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (data: unknown) =>
      client
        .policy(policyId)
        .block(block)
        .send(data as never),
    onSuccess: async () => queries.invalidateQueries(),
  });
}
