/** The action of a request, as text and as data; for a policy, the differences from the local one. */
import { useQuery } from '@tanstack/react-query';
import { BlockworkApiError, type Client } from '@blockwork/client';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { valueText } from '../ui/format.js';
import { JsonView } from '../ui/json-view.js';
import { Table } from '../ui/table.js';
import { Loaded } from '../ui/loaded.js';

export type Action = Awaited<ReturnType<Client['routes']['getRequest']>>['data']['action'];
type OfferedPolicy = Extract<Action, { readonly type: 'import-policy' }>['policy'];

export function RequestedAction({
  action,
  policyId,
}: {
  readonly action: Action;
  readonly policyId: string;
}): ReactNode {
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
