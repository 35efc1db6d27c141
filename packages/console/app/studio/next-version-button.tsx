/** Creates the next version of a published policy, and opens it to be edited. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { Failure } from '../ui/failure.js';
import { studioTexts } from './texts.js';

export function NextVersionButton({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const making = useMutation({
    mutationFn: async () => client.policy(id).nextVersion(),
    onSuccess: async ({ policy }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      navigate(`/policies/${encodeURIComponent(policy.id)}/edit`);
    },
  });
  return (
    <>
      <button
        type="button"
        className="primary"
        disabled={making.isPending}
        onClick={() => {
          making.mutate();
        }}
      >
        {studioTexts.nextVersion}
      </button>
      {making.error !== null && <Failure error={making.error} />}
    </>
  );
}
