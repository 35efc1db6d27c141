/** The documents of a policy, newest first, or one of them. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText, valueText } from '../ui/format.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { DocumentView } from './document-view.js';
import { pathOf } from './document-path.js';

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
  const {
    query,
    items: documents,
    total,
    more,
  } = usePages(
    ['documents', id],
    async (page, signal) => client.routes.listDocuments({ policyId: id, query: { ...page, from: 'newest' }, signal }),
    { retry: false },
  );
  if (query.error !== null && query.data === undefined)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Loading />;
  if (documents.length === 0) return <p className="quiet">{texts.documents.empty}</p>;
  return (
    <div className="stack">
      <p className="quiet">{texts.page.rows(total)}</p>
      <Table label={texts.policy.tabs.documents} columns={Object.values(texts.documents.columns)}>
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
      </Table>
      <MoreButton query={query} more={more} />
    </div>
  );
}
