/** Imports a policy, and then shows it. */
import type { Client } from '@blockwork/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';

type Routes = Client['routes'];
type Imported = Awaited<ReturnType<Routes['importPolicyFile']>>;

export function useImport<Source>(
  send: (routes: Routes, source: Source) => Promise<Imported>,
): UseMutationResult<Imported['data'], Error, Source> {
  const { routes } = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async (source: Source) => (await send(routes, source)).data,
    onSuccess: async ({ policy, findings }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      navigate(`/policies/${encodeURIComponent(policy.id)}/${findings.length === 0 ? 'live' : 'findings'}`);
    },
  });
}
