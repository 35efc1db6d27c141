/** The recent activity at one block, and the documents that it shows the reader. */
import { valueAt, valueText } from '@blockwork/react/rows';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../../api/server.js';
import { pathOf } from '../../documents/document-path.js';
import { texts } from '../../texts.js';
import { dateText } from '../../ui/format.js';
import { Loaded } from '../../ui/loaded.js';
import type { BlockNode } from './tree-model.js';

interface ActivityProps {
  readonly policyId: string;
  readonly node: BlockNode;
  readonly isOwner: boolean;
}

/** Maximum number of entries and of documents shown. */
const SHOWN = 8;

export const BlockActivity = ({ policyId, node, isOwner }: ActivityProps): ReactNode =>
  isOwner && (
    <>
      {node.children.some(({ type }) => type === 'documentsSourceAddon') && node.permissions.length > 0 && (
        <BlockDocuments policyId={policyId} uuid={node.uuid} />
      )}
      {node.tag !== '' && <BlockJournal policyId={policyId} tag={node.tag} />}
    </>
  );

function BlockJournal({ policyId, tag }: { readonly policyId: string; readonly tag: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['journal', policyId, 'of block', tag],
    retry: false,
    queryFn: async ({ signal }) => {
      const page = { pageIndex: 0, pageSize: SHOWN, from: 'newest' as const, tag };
      return (await client.routes.readJournal({ policyId, query: page, signal })).data;
    },
  });
  return (
    <section aria-label={texts.policy.happenedHere}>
      <h3>{texts.policy.happenedHere}</h3>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="quiet">{texts.policy.nothingHere}</p>
          ) : (
            <ul className="plain">
              {entries.map(({ id, at, cause, warnings }) => (
                <li key={id}>
                  <Link href={`/policies/${encodeURIComponent(policyId)}/way/${id}`}>
                    {texts.live.causes[cause.type] ?? cause.type}
                  </Link>{' '}
                  <time className="quiet" dateTime={at}>
                    {dateText(at)}
                  </time>
                  {warnings.length > 0 && (
                    <span className="problem"> {warnings.map(({ message }) => message).join(' ')}</span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function BlockDocuments({ policyId, uuid }: { readonly policyId: string; readonly uuid: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['block', policyId, 'documents', uuid],
    retry: false,
    queryFn: async ({ signal }) => {
      const { data } = await client.policy(policyId).block({ uuid }).read<{ data?: unknown }>({}, { signal });
      return Array.isArray(data) ? (data as unknown[]) : [];
    },
  });
  return (
    <section aria-label={texts.policy.documentsHere}>
      <h3>{texts.policy.documentsHere}</h3>
      {query.error === null ? (
        <Loaded query={query}>{(rows) => <Rows policyId={policyId} rows={rows} />}</Loaded>
      ) : (
        // A block that is closed to the owner is not an error.
        <p className="quiet">{query.error.message}</p>
      )}
    </section>
  );
}

function Rows({ policyId, rows }: { readonly policyId: string; readonly rows: readonly unknown[] }): ReactNode {
  if (rows.length === 0) return <p className="quiet">{texts.page.noRows}</p>;
  return (
    <>
      <ul className="plain">
        {rows.slice(0, SHOWN).map((row) => {
          const id = valueText(valueAt(row, 'id'));
          return (
            <li key={id}>
              <Link href={pathOf(policyId, id)}>{valueText(valueAt(row, 'type')) || id}</Link>{' '}
              <span className="quiet">
                {valueText(valueAt(row, 'option.status'))} {valueText(valueAt(row, 'owner'))}
              </span>
            </li>
          );
        })}
      </ul>
      {rows.length > SHOWN && <p className="quiet">{texts.policy.moreDocuments(rows.length - SHOWN)}</p>}
    </>
  );
}
