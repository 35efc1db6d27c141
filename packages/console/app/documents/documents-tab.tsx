/** The documents of a policy, newest first, and one of them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText, valueText } from '../ui/format.js';
import { DocumentView } from './document-view.js';
import { pathOf } from './document-path.js';

const PAGE_SIZE = 50;

interface DocumentsProps {
  readonly id: string;
  /** Id of the document to show; the list where there is none. */
  readonly selected: string | null;
}

export default function DocumentsTab({ id, selected }: DocumentsProps): ReactNode {
  return selected === null ? <DocumentList id={id} /> : <DocumentView policyId={id} documentId={selected} />;
}

function DocumentList({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['documents', id],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { data, headers } = await client.routes.listDocuments({
        policyId: id,
        query: { pageIndex: pageParam, pageSize: PAGE_SIZE, from: 'newest' },
        signal,
      });
      return { data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length : undefined),
    retry: false,
  });
  const documents = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <p role="status">{texts.loading}</p>;
  if (documents.length === 0) return <p className="quiet">{texts.documents.empty}</p>;
  const { columns } = texts.documents;
  return (
    <div className="stack">
      <p className="quiet">{texts.page.rows(total)}</p>
      <div className="scroll" role="region" aria-label={texts.policy.tabs.documents} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{columns.document}</th>
              <th scope="col">{columns.status}</th>
              <th scope="col">{columns.owner}</th>
              <th scope="col">{columns.created}</th>
            </tr>
          </thead>
          <tbody>
            {documents.map((document) => (
              <tr key={document.id}>
                <td>
                  <Link href={pathOf(id, document.id)}>{document.type ?? document.schema ?? document.dataType}</Link>
                </td>
                <td>{valueText(document.option['status'])}</td>
                <td>{document.owner}</td>
                <td>
                  <time dateTime={document.createDate}>{dateText(document.createDate)}</time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {texts.more}
        </button>
      )}
    </div>
  );
}
