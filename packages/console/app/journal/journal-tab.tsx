/** The journal of a policy, newest first: each unit of work as its cause, its events and what it changed. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { blockNode, uuidsByTag } from '../policy/tree/tree-model.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { JournalEntryCard } from './journal-entry.js';

const PAGE_SIZE = 50;

interface JournalProps {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
}

export default function JournalTab({ id, config }: JournalProps): ReactNode {
  const blocks = useMemo(() => uuidsByTag(blockNode(config ?? {})), [config]);
  const client = useClient();
  const tagsId = useId();
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [tag, setTag] = useState('');
  const [did, setDid] = useState('');
  const filter = {
    ...(onlyFailed && { failed: 'true' as const }),
    ...(tag !== '' && { tag }),
    ...(did !== '' && { did }),
  };
  const query = useInfiniteQuery({
    queryKey: ['journal', id, filter],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const query = { pageIndex: pageParam, pageSize: PAGE_SIZE, from: 'newest' as const, ...filter };
      const { data, headers } = await client.routes.readJournal({ policyId: id, query, signal });
      return { data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length : undefined),
    placeholderData: (previous) => previous,
  });
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const shown = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="stack">
      <div className="filters">
        <label>
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => {
              setOnlyFailed(event.target.checked);
            }}
          />{' '}
          {texts.journal.failuresOnly}
        </label>
        <input
          type="search"
          list={tagsId}
          aria-label={texts.journal.filterTag}
          placeholder={texts.journal.filterTag}
          onChange={(event) => {
            setTag(event.target.value.trim());
          }}
        />
        <datalist id={tagsId}>
          {[...blocks.keys()].map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <input
          type="search"
          aria-label={texts.journal.filterPerson}
          placeholder={texts.journal.filterPerson}
          onChange={(event) => {
            setDid(event.target.value.trim());
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
