/** What the author of a policy should look at, with the way to each block. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';

export function FindingsTab({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['findings', id],
    queryFn: async ({ signal }) => (await client.routes.listFindings({ policyId: id, signal })).data,
  });
  return (
    <Loaded query={query}>
      {(findings) =>
        findings.length === 0 ? (
          <p className="quiet">{texts.policy.noFindings}</p>
        ) : (
          <ul className="plain findings">
            {findings.map(({ severity, code, message, path, block, tag }, at) => (
              <li key={at} className={`card ${severity}`}>
                <p>
                  <span className={`mark ${severity}`}>{severity}</span> <strong>{message}</strong>
                </p>
                <p className="quiet">
                  <code>{code}</code> <code>{path}</code>{' '}
                  {block !== undefined && (
                    <Link href={`/policies/${encodeURIComponent(id)}/live/${block}`}>{tag ?? block}</Link>
                  )}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
