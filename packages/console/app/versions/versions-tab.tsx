/** The versions of a policy: lists them, creates the next one, and compares two of them. */
import { statusIs } from '@blockwork/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { StatusMark } from '../policies/status-mark.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { Table } from '../ui/table.js';
import { Changes } from './changes.js';
import { NextVersionButton } from './next-version-button.js';

interface VersionsProps {
  readonly id: string;
  readonly status: string;
  readonly isOwner: boolean;
}

export default function VersionsTab({ id, status, isOwner }: VersionsProps): ReactNode {
  const client = useClient();
  const [since, setSince] = useAddressText('since');
  const query = useQuery({
    queryKey: ['versions', id],
    queryFn: async ({ signal }) => client.policy(id).versions({ signal }),
  });
  return (
    <div className="stack">
      {isOwner && statusIs(status, 'published') && (
        <div className="spread">
          <p className="quiet">{texts.versions.explain}</p>
          <NextVersionButton id={id} label={texts.versions.next} tab="versions" />
        </div>
      )}
      <Loaded query={query}>
        {(versions) => (
          <Table label={texts.policy.tabs.versions} columns={Object.values(texts.versions.columns)}>
            {versions.map((version) => (
              <tr key={version.id} className={version.id === id ? 'differs' : ''}>
                <th scope="row">
                  <Link href={`/policies/${encodeURIComponent(version.id)}/versions`}>{version.version}</Link>{' '}
                  {version.id === id && <span className="quiet">{texts.versions.this}</span>}
                </th>
                <td>
                  <StatusMark status={version.status} />
                </td>
                <td>
                  <time dateTime={version.createDate}>{dateText(version.createDate)}</time>
                </td>
                <td>
                  {isOwner && version.id !== id && (
                    <button
                      type="button"
                      aria-pressed={since === version.id}
                      onClick={() => {
                        setSince(version.id);
                      }}
                    >
                      {texts.versions.compare(version.version)}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
      {since !== '' && <Changes key={since} id={id} since={since} />}
    </div>
  );
}
