/** The journal of a policy, newest first: the cause, events and changes of each unit of work. */
import { type ReactNode, useId, useMemo } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { PAGES, usePages } from '../api/use-pages.js';
import { blockNode, uuidsByTag } from '../policy/tree/tree-model.js';
import { WithNames } from '../session/with-names.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { causeText } from './cause-text.js';
import type { JournalEntry } from './entry.js';

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

interface CardProps {
  readonly entry: JournalEntry;
  readonly policyId: string;
  /** UUIDs of the policy's blocks, by tag. */
  readonly blocks: ReadonlyMap<string, string>;
}

function JournalEntryCard({ entry, policyId, blocks }: CardProps): ReactNode {
  const block = (tag: string): ReactNode => <BlockLink policyId={policyId} tag={tag} uuid={blocks.get(tag)} />;
  const { id, at, cause, events, documents, effects, warnings } = entry;
  const { added, changed, removed } = documents;
  const changes = texts.journal.documents(added.length, changed.length, removed.length);
  return (
    <li className={warnings.length === 0 ? 'card' : 'card warning'}>
      <p className="spread">
        <strong>
          <WithNames text={causeText(cause)} /> {'tag' in cause && typeof cause.tag === 'string' && block(cause.tag)}
        </strong>
        <span className="quiet">
          <time dateTime={at}>{dateText(at)}</time> · <code>{Number(id)}</code> ·{' '}
          <Link href={`/policies/${encodeURIComponent(policyId)}/way/${id}`}>{texts.journal.way}</Link>
        </span>
      </p>
      <p className="quiet">
        {[
          ...(changes === '' ? [] : [changes]),
          ...(effects.length === 0 ? [] : [texts.journal.effects(effects.length)]),
        ].join(' · ')}
      </p>
      {warnings.map(({ tag, code, message }, index) => (
        <p key={index} className="problem">
          {tag}: {message} <code>{code}</code>
        </p>
      ))}
      {events.length > 0 && (
        <details>
          <summary>{texts.journal.events(events.length)}</summary>
          <ol>
            {events.map(({ source, output, target, input }, index) => (
              <li key={index}>
                {block(source)} {output} → {block(target)} {input}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/** Links to the block in the tree, if it still exists. */
const BlockLink = ({
  policyId,
  tag,
  uuid,
}: {
  readonly policyId: string;
  readonly tag: string;
  readonly uuid: string | undefined;
}): ReactNode =>
  uuid === undefined ? (
    <code>{tag}</code>
  ) : (
    <Link href={`/policies/${encodeURIComponent(policyId)}/live/${uuid}`}>{tag}</Link>
  );
