/** Queries of the block screen beyond the configuration; only the policy's owner may run all of them. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { POLL_MS } from '../../api/query-client.js';
import { useClient } from '../../api/server.js';
import type { JournalEntry } from '../../journal/entry.js';
import { latestUnitsIn, type LatestUnits } from './latest-units.js';
import type { PendingWork, PendingWorkAtBlock } from './pending-work.js';
import { lastPathOf, pathOf, type UnitPath } from './unit-path.js';

const PAGE_SIZE = 1000;
/** Maximum number of pages fetched; further blocks are shown without counts. */
const PAGES = 5;

/** Number of recent journal entries fetched. */
const RECENT_UNITS = 100;

export function usePendingWork(policyId: string, isOwner: boolean): UseQueryResult<PendingWork> {
  const client = useClient();
  return useQuery({
    queryKey: ['pending work', policyId],
    enabled: isOwner,
    retry: false,
    // Requests between instances cause no events.
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => {
      const blocks = new Map<string, PendingWorkAtBlock>();
      for (let pageIndex = 0; pageIndex < PAGES; pageIndex += 1) {
        const query = { pageIndex, pageSize: PAGE_SIZE };
        const { data } = await client.routes.listPendingWork({ policyId, query, signal });
        for (const each of data) blocks.set(each.uuid, each);
        if (data.length < PAGE_SIZE) break;
      }
      return blocks;
    },
  });
}

export const useLatestUnits = (policyId: string, isOwner: boolean): LatestUnits | undefined =>
  useRecent(policyId, isOwner, latestUnitsIn);

/** The path of a user's last send; `undefined` if it is not among the recent units. */
export function useLastPath(policyId: string, did: string, isOwner: boolean): UnitPath | undefined {
  const select = useCallback((entries: readonly JournalEntry[]) => lastPathOf(entries, did), [did]);
  return useRecent(policyId, isOwner, select);
}

function useRecent<Found>(
  policyId: string,
  isOwner: boolean,
  select: (entries: readonly JournalEntry[]) => Found,
): Found | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['journal', policyId, 'recent'],
    enabled: isOwner,
    retry: false,
    queryFn: async ({ signal }) => {
      const query = { pageIndex: 0, pageSize: RECENT_UNITS, from: 'newest' as const };
      return (await client.routes.readJournal({ policyId, query, signal })).data;
    },
    select,
  });
  return data;
}

/** `entryId`: of the journal; `undefined` for none. Only the owner may read it. */
export function useUnitPath(policyId: string, entryId: string | undefined, isOwner: boolean): UseQueryResult<UnitPath> {
  const client = useClient();
  return useQuery({
    queryKey: ['way', policyId, entryId],
    enabled: isOwner && entryId !== undefined,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) =>
      (await client.routes.readJournalEntry({ policyId, entryId: entryId ?? '', signal })).data,
    select: pathOf,
  });
}
