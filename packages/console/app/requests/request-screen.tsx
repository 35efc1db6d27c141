/** One request: its action, its sender, its effect on this instance, and the decision. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { RequestedAction, type Action } from './requested-action.js';
import { approvalOf } from './approval.js';
import { RequestTitle, StatusOfRequest, waiting, type RequestRow } from './request-row.js';

export default function RequestScreen({ messageId }: { readonly messageId: string }): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const query = useQuery({
    queryKey: ['request', active?.did, messageId],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => (await client.routes.getRequest({ messageId, signal })).data,
  });
  return (
    <section className="screen in-order">
      <p>
        <Link href="/requests">{texts.requests.back}</Link>
      </p>
      <Loaded query={query}>
        {(request) => (
          <>
            <h1>
              <RequestTitle request={request} />
            </h1>
            <Facts request={request} />
            <Decision request={request} action={request.action} />
            <RequestedAction action={request.action} policyId={request.policyId} />
            <h2>{texts.requests.history}</h2>
            <ol className="plain">
              {request.history.map(({ status, at, by }) => (
                <li key={at + status}>
                  <StatusOfRequest status={status} /> <time dateTime={at}>{dateText(at)}</time> · <code>{by}</code>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}

const Facts = ({ request }: { readonly request: RequestRow }): ReactNode => {
  const { status, direction, sender, to, closed, cancelAsked } = request;
  const words = texts.requests;
  return (
    <dl className="card">
      <dt>{words.status}</dt>
      <dd>
        <StatusOfRequest status={status} /> {status === 'NEW' && waiting(request)}
      </dd>
      <dt>{words.from}</dt>
      <dd>
        {sender.instance} · <code>{sender.did}</code>
      </dd>
      <dt>{words.to}</dt>
      <dd>
        {to} · {words.directions[direction]}
      </dd>
      {cancelAsked !== undefined && (
        <>
          <dt>{words.cancelAsked}</dt>
          <dd>{dateText(cancelAsked.at)}</dd>
        </>
      )}
      {closed?.reason !== undefined && (
        <>
          <dt>{words.reason}</dt>
          <dd>{closed.reason}</dd>
        </>
      )}
      {closed?.error !== undefined && (
        <>
          <dt>{words.failure}</dt>
          <dd>
            {closed.error.message} <code>{closed.error.code}</code>
          </dd>
        </>
      )}
    </dl>
  );
};

function Decision({ request, action }: { readonly request: RequestRow; readonly action: Action }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const { messageId, direction, status } = request;
  const deciding = useMutation({
    mutationFn: async (decide: () => Promise<unknown>) => decide(),
    onSettled: async () => queries.invalidateQueries(),
  });
  if (status !== 'NEW') return null;
  const decide = (act: () => Promise<unknown>) => () => {
    deciding.mutate(act);
  };
  const { routes } = client;
  return (
    <div className="card stack">
      {direction === 'incoming' ? (
        <>
          <div className="actions">
            <button
              type="button"
              className="primary"
              disabled={deciding.isPending}
              onClick={decide(async () =>
                routes.approveRequest({ messageId, body: await approvalOf(client, request, action) }),
              )}
            >
              {texts.requests.approve}
            </button>
            <button
              type="button"
              className="danger"
              disabled={deciding.isPending}
              onClick={decide(async () => routes.rejectRequest({ messageId, body: reason === '' ? {} : { reason } }))}
            >
              {texts.requests.reject}
            </button>
          </div>
          <label>
            {texts.requests.rejectionReason}{' '}
            <input
              value={reason}
              maxLength={2000}
              onChange={(event) => {
                setReason(event.target.value);
              }}
            />
          </label>
        </>
      ) : (
        <div className="actions">
          <button
            type="button"
            disabled={deciding.isPending}
            onClick={decide(async () => routes.cancelRequest({ messageId }))}
          >
            {texts.requests.cancel}
          </button>
        </div>
      )}
      {deciding.error !== null && <Failure error={deciding.error} />}
    </div>
  );
}
