/** One request: its action, its sender, its effect on this instance, and the decision. */
import { BlockworkApiError, type Client } from '@blockwork/client';
import { valueText } from '@blockwork/react/rows';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { Table } from '../ui/table.js';
import { type RequestRow, RequestTitle, StatusOfRequest, timeText } from './request-row.js';

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
        <StatusOfRequest status={status} /> {status === 'NEW' && timeText(request)}
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

type PolicyRecord = Awaited<ReturnType<Client['routes']['getPolicy']>>['data'];

/** The configuration is omitted, because the server has it. */
async function approvalOf(client: Client, { policyId }: RequestRow, action: Action): Promise<PolicyRecord> {
  if (action.type === 'send-data') return { ...(await client.policy(policyId).get()), config: undefined };
  // Nobody has a role before the policy is imported; the server determines the owner.
  return { userRole: '', userRoles: [], ...action.policy, config: undefined };
}

type Action = Awaited<ReturnType<Client['routes']['getRequest']>>['data']['action'];
type OfferedPolicy = Extract<Action, { readonly type: 'import-policy' }>['policy'];

function RequestedAction({ action, policyId }: { readonly action: Action; readonly policyId: string }): ReactNode {
  const words = texts.requests;
  switch (action.type) {
    case 'import-policy':
      return (
        <div className="card">
          <h2>{words.offered}</h2>
          <p>{action.view === true ? words.offeredToView : words.offeredToTake}</p>
          <OfferedRecord offered={action.policy} policyId={policyId} />
          <details>
            <summary>{words.configuration}</summary>
            <JsonView value={action.policy.config} />
          </details>
        </div>
      );
    case 'send-data':
      return (
        <div className="card">
          <h2>{words.data}</h2>
          <p>
            {words.dataFor(action.user.username ?? action.user.did)} <code>{action.tag}</code>
          </p>
          <JsonView value={action.data} />
        </div>
      );
    case 'sign':
      return (
        <div className="card">
          <h2>{words.credential}</h2>
          <p>
            {words.signer} <code>{action.signer}</code>
          </p>
          <JsonView value={action.credential} />
        </div>
      );
  }
}

/** The fields relevant to the decision; the others follow from them. */
const shownFields = [
  'name',
  'description',
  'version',
  'status',
  'owner',
  'policyTag',
  'topicId',
  'policyRoles',
] as const;

/** Compares the offered record with the local one of the same id, if any. */
function OfferedRecord({
  offered,
  policyId,
}: {
  readonly offered: OfferedPolicy;
  readonly policyId: string;
}): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['policy here', policyId],
    queryFn: async ({ signal }) => {
      try {
        return await client.policy(policyId).get({ signal });
      } catch (error) {
        if (error instanceof BlockworkApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
  const words = texts.requests;
  return (
    <Loaded query={query}>
      {(here) => (
        <>
          {here === null && <p className="quiet">{words.notHere}</p>}
          <Table
            label={words.offered}
            columns={[words.field, words.offeredValue, ...(here === null ? [] : [words.valueHere])]}
          >
            {shownFields.map((field) => {
              const differs = here !== null && valueText(offered[field]) !== valueText(here[field]);
              return (
                <tr key={field} className={differs ? 'differs' : ''}>
                  <th scope="row">
                    {field} {differs && <span className="mark warning">{words.differs}</span>}
                  </th>
                  <td>{valueText(offered[field])}</td>
                  {here !== null && <td>{valueText(here[field])}</td>}
                </tr>
              );
            })}
          </Table>
        </>
      )}
    </Loaded>
  );
}
