/** Requests between instances: what others ask of this one, and what its users ask. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NEVER_TOLD_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';

export default function RequestsScreen(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['requests'],
    refetchInterval: NEVER_TOLD_MS,
    queryFn: async ({ signal }) =>
      (await client.routes.listRequests({ query: { pageIndex: 0, pageSize: 100 }, signal })).data,
  });
  const deciding = useMutation({
    mutationFn: async (decide: () => Promise<unknown>) => decide(),
    onSettled: async () => queries.invalidateQueries(),
  });
  return (
    <section className="screen">
      <h1>{texts.requests.title}</h1>
      {deciding.error !== null && <Failure error={deciding.error} />}
      <Loaded query={query}>
        {(requests) =>
          requests.length === 0 ? (
            <p className="quiet">{texts.requests.empty}</p>
          ) : (
            <ul className="plain">
              {requests.map(({ messageId, type, direction, status, sender, policyId, receivedAt, expiresAt }) => (
                <li key={messageId} className="card">
                  <p className="spread">
                    <strong>
                      {type} · {policyId}
                    </strong>
                    <span className={`mark ${status.toLowerCase()}`}>{status}</span>
                  </p>
                  <p className="quiet">
                    {texts.requests.columns.from} {sender.instance} (<code>{sender.did}</code>) ·{' '}
                    {texts.requests.columns.received} {dateText(receivedAt)} · {texts.requests.columns.expires}{' '}
                    {dateText(expiresAt)}
                  </p>
                  {status === 'NEW' && (
                    <div className="actions">
                      {direction === 'incoming' ? (
                        <button
                          type="button"
                          onClick={() => {
                            deciding.mutate(async () => client.routes.rejectRequest({ messageId, body: {} }));
                          }}
                        >
                          {texts.requests.reject}
                        </button>
                      ) : (
                        <button
                          type="button"
                          onClick={() => {
                            deciding.mutate(async () => client.routes.cancelRequest({ messageId }));
                          }}
                        >
                          {texts.requests.cancel}
                        </button>
                      )}
                    </div>
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
