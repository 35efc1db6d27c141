/** All policies, and importing one more. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { NEVER_TOLD_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { ImportPolicy } from './import-policy.js';
import { StatusMark } from './status-mark.js';

const PAGE_SIZE = 50;

export function PoliciesScreen(): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const query = useInfiniteQuery({
    queryKey: ['policies', active?.did],
    refetchInterval: NEVER_TOLD_MS,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { data, headers } = await client.routes.listPolicies({
        query: { pageIndex: pageParam, pageSize: PAGE_SIZE },
        signal,
      });
      return { data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length : undefined),
  });
  const policies = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className="screen">
      <div className="spread">
        <h1>{texts.policies.title}</h1>
        <ImportPolicy />
      </div>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p role="status">{texts.loading}</p>}
      {query.isSuccess && policies.length === 0 && <p className="quiet">{texts.policies.empty}</p>}
      {policies.length > 0 && <PolicyTable policies={policies} />}
      {query.hasNextPage && (
        <button type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetching}>
          {texts.more}
        </button>
      )}
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
  const { columns } = texts.policies;
  return (
    <div className="scroll" role="region" aria-label={texts.policies.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {Object.values(columns).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
              <td>{createDate === undefined ? '' : dateText(createDate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
