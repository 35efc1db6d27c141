/** The query for the list of policies, requested before the first render. */
import type { Client } from '@blockwork/client';
import { queryClient } from '../api/query-client.js';
import { pagesOf, type ReadPage } from '../api/use-pages.js';
import { isOfPolicies } from './early-list.js';

export const policiesKey = (did: string | undefined): readonly unknown[] => ['policies', did];

type Listed = Awaited<ReturnType<Client['routes']['listPolicies']>>['data'][number];

export const readPolicies =
  (client: Client): ReadPage<Listed> =>
  async (page, signal) =>
    client.routes.listPolicies({ query: page, signal });

/** Prefetches the list if the URL leads to it; the screen reports a failure. */
export function askEarly(client: Client, did: string): void {
  if (isOfPolicies()) queryClient.infiniteQuery(pagesOf(policiesKey(did), readPolicies(client))).catch(() => undefined);
}
