/** The journal of a policy, newest first: the cause, events and changes of each unit of work. */
import { useId, useMemo, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { PAGES, usePages } from '../api/use-pages.js';
import { blockNode, uuidsByTag } from '../policy/tree/tree-model.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { JournalEntryCard } from './journal-entry.js';

interface JournalProps {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
}

export default function JournalTab({ id, config }: JournalProps): ReactNode {
  const blocks = useMemo(() => uuidsByTag(blockNode(config ?? {})), [config]);
  const client = useClient();
  const tagsId = useId();
  const [failed, setFailed] = useAddressText('failed', PAGES);
  const [typedTag, setTag] = useAddressText('block', PAGES);
  const [typedDid, setDid] = useAddressText('person', PAGES);
  const [tag, did, onlyFailed] = [typedTag.trim(), typedDid.trim(), failed !== ''];
  const filter = {
    ...(onlyFailed && { failed: 'true' as const }),
    ...(tag !== '' && { tag }),
    ...(did !== '' && { did }),
  };
  const {
    query,
    items: shown,
    more,
  } = usePages(['journal', id, filter], async (page, signal) =>
    client.routes.readJournal({ policyId: id, query: { ...page, from: 'newest', ...filter }, signal }),
  );
  // After a failed refetch, the loaded entries and the search stay visible.
  if (query.error !== null && query.data === undefined)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="stack">
      <div className="filters">
        <label>
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => {
              setFailed(event.target.checked ? 'only' : '');
            }}
          />{' '}
          {texts.journal.failuresOnly}
        </label>
        <input
          type="search"
          list={tagsId}
          aria-label={texts.journal.filterTag}
          placeholder={texts.journal.filterTag}
          value={typedTag}
          onChange={(event) => {
            setTag(event.target.value);
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
          value={typedDid}
          onChange={(event) => {
            setDid(event.target.value);
          }}
        />
      </div>
      {query.isPending && <Loading />}
      {query.isSuccess && shown.length === 0 && <p className="quiet">{texts.journal.empty}</p>}
      <ol className="plain timeline">
        {shown.map((entry) => (
          <JournalEntryCard key={entry.id} entry={entry} policyId={id} blocks={blocks} />
        ))}
      </ol>
      <MoreButton query={query} more={more} />
    </div>
  );
}
