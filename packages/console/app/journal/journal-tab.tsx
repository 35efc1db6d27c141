/** The journal of a policy, newest first: each unit of work as its cause, its events and what it changed. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { blockNode, uuidsByTag } from '../policy/tree/tree-model.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { JournalEntryCard } from './journal-entry.js';
import type { JournalEntry } from './journal-entry.js';

const PAGE_SIZE = 50;

interface JournalProps {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
}

export default function JournalTab({ id, config }: JournalProps): ReactNode {
  const blocks = useMemo(() => uuidsByTag(blockNode(config ?? {})), [config]);
  const client = useClient();
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const [tag, setTag] = useState('');
  const query = useInfiniteQuery({
    queryKey: ['journal', id],
    // The interface has the oldest first: the last page is read first, and then towards the beginning.
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) => {
      const read = async (pageIndex: number) =>
        client.routes.readJournal({ policyId: id, query: { pageIndex, pageSize: PAGE_SIZE }, signal });
      if (pageParam !== null) return { entries: (await read(pageParam)).data, page: pageParam };
      const first = await read(0);
      const last = Math.max(0, Math.ceil(Number(first.headers.get('x-total-count') ?? 0) / PAGE_SIZE) - 1);
      return { entries: last === 0 ? first.data : (await read(last)).data, page: last };
    },
    getNextPageParam: ({ page }) => (page > 0 ? page - 1 : undefined),
  });
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const entries = (query.data?.pages ?? []).flatMap(({ entries: page }) => [...page].reverse());
  const shown = entries.filter((entry) => isShown(entry, onlyWarnings, tag));
  return (
    <div className="stack">
      <div className="filters">
        <label>
          <input
            type="checkbox"
            checked={onlyWarnings}
            onChange={(event) => {
              setOnlyWarnings(event.target.checked);
            }}
          />{' '}
          {texts.journal.failuresOnly}
        </label>
        <input
          type="search"
          aria-label={texts.journal.filterTag}
          placeholder={texts.journal.filterTag}
          value={tag}
          onChange={(event) => {
            setTag(event.target.value);
          }}
        />
      </div>
      {query.isPending && <p role="status">{texts.loading}</p>}
      {query.isSuccess && shown.length === 0 && <p className="quiet">{texts.journal.empty}</p>}
      <ol className="plain timeline">
        {shown.map((entry) => (
          <JournalEntryCard key={entry.id} entry={entry} policyId={id} blocks={blocks} />
        ))}
      </ol>
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {texts.more}
        </button>
      )}
    </div>
  );
}

function isShown({ warnings, cause, events }: JournalEntry, onlyWarnings: boolean, tag: string): boolean {
  if (onlyWarnings && warnings.length === 0) return false;
  if (tag === '') return true;
  const tags = [
    ...('tag' in cause ? [String(cause.tag)] : []),
    ...events.flatMap(({ source, target }) => [source, target]),
  ];
  return tags.some((each) => each.toLowerCase().includes(tag.toLowerCase()));
}
