/** The API of one policy: who may call each block, with a command line for each call. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { useClient, useServerUrl } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { CopyLine } from '../ui/copy-line.js';
import { download } from '../ui/download.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { curlLine, operationsIn, type BlockOperation } from './operations.js';

export default function ApiTab({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const query = useQuery({
    queryKey: ['api', id, active?.did],
    queryFn: async ({ signal }) => client.policy(id).openApi({ signal }),
    retry: false,
  });
  return (
    <>
      <p>{texts.api.explain}</p>
      <p className="quiet">{texts.api.token}</p>
      <Loaded query={query}>{(document) => <Operations document={document} name={name} />}</Loaded>
    </>
  );
}

interface OperationsProps {
  readonly document: unknown;
  /** Of the policy. */
  readonly name: string;
}

function Operations({ document, name }: OperationsProps): ReactNode {
  const serverUrl = useServerUrl();
  const [search, setSearch] = useAddressText('find');
  const [role, setRole] = useAddressText('role');
  const all = operationsIn(document);
  const roles = [...new Set(all.flatMap((each) => each.roles))];
  const wanted = search.trim().toLowerCase();
  const shown = all.filter(
    ({ description, path, roles: allowed }) =>
      (role === '' || allowed.includes(role)) && `${path} ${description}`.toLowerCase().includes(wanted),
  );
  if (all.length === 0) return <p className="quiet">{texts.api.noBlocks}</p>;
  return (
    <div className="stack">
      <div className="filters">
        <input
          type="search"
          aria-label={texts.api.filter}
          placeholder={texts.api.filter}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
          }}
        />
        <label>
          {texts.api.role}{' '}
          <select
            value={role}
            onChange={(event) => {
              setRole(event.target.value);
            }}
          >
            <option value="">{texts.api.anyRole}</option>
            {roles.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            download(JSON.stringify(document, null, 2), `${name} openapi.json`, 'application/json');
          }}
        >
          {texts.api.download}
        </button>
      </div>
      {shown.length === 0 && <p className="quiet">{texts.api.none}</p>}
      <ul className="plain">
        {shown.map((operation) => (
          <li key={operation.id} className="card">
            <Operation operation={operation} line={curlLine(operation, serverUrl, document)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface OperationProps {
  readonly operation: BlockOperation;
  readonly line: string;
}

function Operation({ operation, line }: OperationProps): ReactNode {
  const { method, path, title, description, roles, takes, shows, id } = operation;
  const isRead = method === 'GET';
  return (
    <>
      <h2>
        <span className={isRead ? 'mark' : 'mark warning'}>{isRead ? texts.api.read : texts.api.send}</span> {title}{' '}
        <span className="quiet">{texts.api.roles(roles)}</span>
      </h2>
      <p className="quiet">{description}</p>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      <CopyLine line={line} label={texts.api.copyLine(id)} />
      <details>
        <summary>{isRead ? texts.api.shows : texts.api.takes}</summary>
        <JsonView value={(isRead ? shows : takes) ?? {}} />
      </details>
    </>
  );
}
