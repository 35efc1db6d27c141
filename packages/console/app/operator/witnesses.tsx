/** The newest checkpoints of logs on the ledger. Nothing without a ledger. */
import { BlockworkApiError } from '@blockwork/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { countText, dateText } from '../ui/format.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { POLL_OPTIONS } from './poll-options.js';

export function Witnesses(): ReactNode {
  const client = useClient();
  const { query, items, total, more } = usePages(
    ['operator', 'witnesses'],
    async (page, signal) => client.routes.listWitnesses({ query: page, signal }),
    { ...POLL_OPTIONS, inAddress: 'witnesses' },
  );
  const words = texts.operator.witnesses;
  // Drawn when it is known that there is a ledger: most servers have none.
  if (query.isPending || isAbsent(query.error)) return null;
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <p className="quiet">{words.explain}</p>
      {query.error !== null && items.length === 0 && (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && total === 0 && <p className="quiet">{words.empty}</p>}
      {items.length > 0 && (
        <Table label={words.title} columns={Object.values(words.columns)}>
          {items.map(({ policyId, entries, witness }) => (
            <tr key={policyId}>
              <th scope="row">
                <Link href={`/policies/${encodeURIComponent(policyId)}/journal`}>{policyId}</Link>
              </th>
              <td>{countText(entries)}</td>
              <td>{witness === null ? words.none : countText(witness.entries)}</td>
              <td>{witness !== null && <time dateTime={witness.at}>{dateText(witness.at)}</time>}</td>
              <td>
                {witness !== null && (witness.messageId === null ? words.waits : <code>{witness.messageId}</code>)}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <MoreButton query={query} more={more} />
    </section>
  );
}

const isAbsent = (error: Error | null): boolean =>
  error instanceof BlockworkApiError && error.error === 'LEDGER_ABSENT';
