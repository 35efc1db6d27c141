/** Undelivered messages and other failing work: since when, why, and the next retry. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Client } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { countText, dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { POLL_OPTIONS } from './poll-options.js';

type Message = Awaited<ReturnType<Client['routes']['listOutbox']>>['data'][number];

/** Messages of these kinds concern requests sent by this instance. */
const ASKED_HERE: ReadonlySet<string> = new Set(['request', 'cancel', 'inquiry']);

export function Outbox(): ReactNode {
  const client = useClient();
  const { query, items, total, more } = usePages(
    ['operator', 'outbox'],
    async (page, signal) => client.routes.listOutbox({ query: page, signal }),
    { ...POLL_OPTIONS, inAddress: 'messages' },
  );
  const words = texts.operator.outbox;
  return (
    <section className="card">
      <h2>{words.title}</h2>
      {query.error !== null && items.length === 0 && (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading />}
      {query.isSuccess && total === 0 && <p className="quiet">{words.empty}</p>}
      {items.length > 0 && (
        <Table label={words.title} columns={Object.values(words.columns)}>
          {items.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </Table>
      )}
      <MoreButton query={query} more={more} />
    </section>
  );
}

function MessageRow({ message }: { readonly message: Message }): ReactNode {
  const { type, to, startMessageId, since, failures, retryAt, reason } = message;
  const words = texts.operator.outbox;
  const kind = words.types[type] ?? type;
  return (
    <tr>
      <th scope="row">
        {ASKED_HERE.has(type) ? <Link href={`/requests/${encodeURIComponent(startMessageId)}`}>{kind}</Link> : kind}
      </th>
      <td>{to}</td>
      <td>
        <time dateTime={since}>{dateText(since)}</time>
      </td>
      <td>{countText(failures)}</td>
      <td>{retryAt === null ? words.soon : <time dateTime={retryAt}>{dateText(retryAt)}</time>}</td>
      <td className="problem">{reason}</td>
    </tr>
  );
}

/** Other failing work; messages have their own list. */
export function FailingWork(): ReactNode {
  const client = useClient();
  const query = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'failing'],
    queryFn: async ({ signal }) => (await client.routes.listStuckWork({ signal })).data,
  });
  const words = texts.operator.failing;
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {(all) => {
          const others = all.filter(({ work, id }) => work !== 'outbox' || id === null);
          if (others.length === 0) return <p className="quiet">{words.empty}</p>;
          return (
            <Table label={words.title} columns={Object.values(words.columns)}>
              {others.map(({ work, id, failures, retryAt, reason }) => (
                <tr key={`${work} ${id ?? ''}`}>
                  <th scope="row">{words.works[work] ?? work}</th>
                  <td>{id === null ? words.all : <code>{id}</code>}</td>
                  <td>{countText(failures)}</td>
                  <td>
                    <time dateTime={retryAt}>{dateText(retryAt)}</time>
                  </td>
                  <td className="problem">{reason}</td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Loaded>
    </section>
  );
}
