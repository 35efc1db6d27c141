/** All policies, with an import button. */
import { statusIs, type Client } from '@blockwork/client';
import { lazy, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { POLL_MS, queryClient } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { pagesOf, type ReadPage, usePages } from '../api/use-pages.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { Failure } from '../ui/failure.js';
import { FileButton } from '../ui/file-button.js';
import { Ago } from '../ui/ago.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';
import { Table } from '../ui/table.js';
import { isOfPolicies } from './early-list.js';
import { StatusMark } from './status-mark.js';
import { useImport } from './use-import.js';

const NewPolicy = lazy(async () => import('../studio/new-policy.js'));

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
        <div className="actions">
          <DialogButton label={texts.policies.newPolicy} title={texts.policies.newPolicy} className="primary">
            {() => (
              <ScreenBoundary>
                <NewPolicy />
              </ScreenBoundary>
            )}
          </DialogButton>
          <ImportPolicy />
        </div>
      </div>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {query.isSuccess && policies.length === 0 && <p className="quiet">{texts.policies.empty}</p>}
      {policies.length > 0 && <PolicyTable policies={policies} did={active?.did} />}
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
  readonly owner?: string | undefined;
}

interface TableProps {
  readonly policies: readonly ListedPolicy[];
  /** Of who reads it: one's own policies can be changed. */
  readonly did: string | undefined;
}

function PolicyTable({ policies, did }: TableProps): ReactNode {
  return (
    <Table label={texts.policies.title} columns={Object.values(texts.policies.columns)}>
      {policies.map(({ id, name, status, version, userRole, createDate, owner }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={`/policies/${encodeURIComponent(id)}`}>{name}</Link>
          </th>
          <td>
            <StatusMark status={status} />
          </td>
          <td>{version}</td>
          <td>{userRole}</td>
          <td>{createDate !== undefined && <Ago at={createDate} />}</td>
          <td>{owner === did && <EditLink id={id} status={status} />}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A published policy is changed in its next version. */
const EditLink = ({ id, status }: Pick<ListedPolicy, 'id' | 'status'>): ReactNode => (
  <Link href={`/policies/${encodeURIComponent(id)}/edit`}>
    {statusIs(status, 'published') ? texts.policies.nextVersion : texts.policies.edit}
  </Link>
);

function ImportPolicy(): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const importing = useImport(async (routes, file: File) =>
    routes.importPolicyFile({ body: new Uint8Array(await file.arrayBuffer()) }),
  );
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined) importing.mutate(file);
      }}
    >
      <FileButton
        label={importing.isPending ? texts.policies.importing : texts.policies.import}
        isBusy={importing.isPending}
        onFiles={([file]) => {
          if (file !== undefined) importing.mutate(file);
        }}
      />{' '}
      <span className="quiet">{texts.policies.drop}</span>
      {importing.error !== null && <Failure error={importing.error} />}
    </div>
  );
}

const policiesKey = (did: string | undefined): readonly unknown[] => ['policies', did];

type Listed = Awaited<ReturnType<Client['routes']['listPolicies']>>['data'][number];

const readPolicies =
  (client: Client): ReadPage<Listed> =>
  async (page, signal) =>
    client.routes.listPolicies({ query: page, signal });

/** Prefetches the list if the URL leads to it; the screen reports a failure. */
export function askEarly(client: Client, did: string): void {
  if (isOfPolicies()) queryClient.infiniteQuery(pagesOf(policiesKey(did), readPolicies(client))).catch(() => undefined);
}
