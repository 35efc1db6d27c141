/** Requests between instances: those received, and those sent by local users. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { PAGES, usePages } from '../api/use-pages.js';
import { usePeople } from '../session/people.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { requestPath, type RequestRow, RequestTitle, StatusOfRequest, timeText } from './request-row.js';

type Direction = 'incoming' | 'outgoing';
const directions: readonly Direction[] = ['incoming', 'outgoing'];

export default function RequestsScreen(): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const [wanted, setDirection] = useAddressText('direction', PAGES);
  const [open, setOpen] = useAddressText('open', PAGES);
  const direction: Direction | '' = directions.find((each) => each === wanted) ?? '';
  const onlyOpen = open !== '';
  const filter = { ...(direction !== '' && { direction }), ...(onlyOpen && { status: 'NEW' as const }) };
  const {
    query,
    items: requests,
    more,
  } = usePages(
    ['requests', active?.did, filter],
    async (page, signal) => client.routes.listRequests({ query: { ...filter, ...page }, signal }),
    { refetchInterval: POLL_MS },
  );
  return (
    <section className="screen">
      <h1>{texts.requests.title}</h1>
      <RequestsNav at="list" />
      <div className="filters">
        <label>
          {texts.requests.direction}{' '}
          <select
            value={direction}
            onChange={(event) => {
              setDirection(event.target.value);
            }}
          >
            <option value="">{texts.requests.anyDirection}</option>
            {directions.map((each) => (
              <option key={each} value={each}>
                {texts.requests.directions[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={onlyOpen}
            onChange={(event) => {
              setOpen(event.target.checked ? 'only' : '');
            }}
          />{' '}
          {texts.requests.onlyOpen}
        </label>
      </div>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {query.isSuccess && requests.length === 0 && <p className="card empty quiet">{texts.requests.empty}</p>}
      <ul className="plain">
        {requests.map((request) => (
          <RequestCard key={request.messageId} request={request} />
        ))}
      </ul>
      <MoreButton query={query} more={more} />
    </section>
  );
}

const RequestCard = ({ request }: { readonly request: RequestRow }): ReactNode => (
  <li className="card">
    <p className="spread">
      <Link href={requestPath(request.messageId)}>
        <RequestTitle request={request} />
      </Link>
      <StatusOfRequest status={request.status} />
    </p>
    <p className="quiet">
      {texts.requests.directions[request.direction]} · {texts.requests.received} {dateText(request.receivedAt)}
      {request.status === 'NEW' && ` · ${timeText(request)}`}
    </p>
  </li>
);

export const RequestsNav = ({ at }: { readonly at: 'list' | 'refused' }): ReactNode => (
  <nav className="tabs" aria-label={texts.requests.title}>
    <Link href="/requests" className={at === 'list' ? 'active' : ''} aria-current={at === 'list' ? 'page' : undefined}>
      {texts.requests.all}
    </Link>
    <Link
      href="/requests/refused"
      className={at === 'refused' ? 'active' : ''}
      aria-current={at === 'refused' ? 'page' : undefined}
    >
      {texts.requests.refused}
    </Link>
  </nav>
);
