/** Sends data to blocks. */
import { BlockworkApiError, type BlockName, newIdempotencyKey } from '@blockwork/client';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useScope } from '../provider.js';

/** Statuses without an answer of the policy server: nobody knows whether the send was committed. */
const unanswered: ReadonlySet<number> = new Set([0, 502, 503, 504]);

/**
 * Sends data to a block: everything that follows is committed, or nothing. Then all that the page shows is read again, since any
 * block may have changed. What is sent again because there was no answer takes effect once. `error` is a `BlockworkApiError`.
 *
 * @example
 * const send = useSend('sunlight', 'choose_role');
 * return <button disabled={send.isPending} onClick={() => send.mutate({ role: 'Producer' })}>I produce</button>;
 */
export function useSend(policyId: string, block: BlockName): UseMutationResult {
  const { client } = useScope();
  const queries = useQueryClient();
  const open = useRef<{ readonly content: string; readonly idempotencyKey: string } | null>(null);
  return useMutation({
    mutationFn: async (data: unknown) => {
      const content = JSON.stringify([policyId, block, data]);
      const last = open.current;
      const idempotencyKey = last?.content === content ? last.idempotencyKey : newIdempotencyKey();
      open.current = { content, idempotencyKey };
      try {
        const result = await client
          .policy(policyId)
          .block(block)
          .send(data as never, { idempotencyKey });
        open.current = null;
        return result;
      } catch (error) {
        if (error instanceof BlockworkApiError && !unanswered.has(error.status)) open.current = null;
        throw error;
      }
    },
    onSuccess: async () => queries.invalidateQueries(),
  });
}
