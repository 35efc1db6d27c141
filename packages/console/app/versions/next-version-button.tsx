/** Creates the next version of a published policy, and opens it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { Failure } from '../ui/failure.js';

interface ButtonProps {
  readonly id: string;
  readonly label: string;
  /** Of the new version. */
  readonly tab: 'edit' | 'versions';
}

export function NextVersionButton({ id, label, tab }: ButtonProps): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const making = useMutation({
    mutationFn: async () => client.policy(id).nextVersion(),
    onSuccess: async ({ policy }) => {
      await queries.invalidateQueries();
      navigate(`/policies/${encodeURIComponent(policy.id)}/${tab}`);
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
        {label}
      </button>
      {making.error !== null && <Failure error={making.error} />}
    </>
  );
}
