/** All policies, with an import button. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { ImportPolicy } from './import-policy.js';
import { policiesKey, readPolicies } from './policies-query.js';
import { StatusMark } from './status-mark.js';

export function PoliciesScreen(): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const {
    query,
    items: policies,
    more,
  } = usePages(policiesKey(active?.did), readPolicies(client), {
    refetchInterval: POLL_MS,
  });
  return (
    <section className="screen">
      <div className="spread">
        <h1>{texts.policies.title}</h1>
        <ImportPolicy />
      </div>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {query.isSuccess && policies.length === 0 && <p className="quiet">{texts.policies.empty}</p>}
      {policies.length > 0 && <PolicyTable policies={policies} />}
      <MoreButton query={query} more={more} />
    </section>
  );
}

interface ListedPolicy {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version?: string | undefined;
  readonly userRole?: string | undefined;
  readonly createDate?: string | undefined;
}

function PolicyTable({ policies }: { readonly policies: readonly ListedPolicy[] }): ReactNode {
  return (
    <Table label={texts.policies.title} columns={Object.values(texts.policies.columns)}>
      {policies.map(({ id, name, status, version, userRole, createDate }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={`/policies/${encodeURIComponent(id)}`}>{name}</Link>
          </th>
          <td>
            <StatusMark status={status} />
          </td>
          <td>{version}</td>
          <td>{userRole}</td>
          <td>{createDate !== undefined && <time dateTime={createDate}>{dateText(createDate)}</time>}</td>
        </tr>
      ))}
    </Table>
  );
}
