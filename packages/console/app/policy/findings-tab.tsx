/** The findings of a policy, with a link to the block of each. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { useFindings } from './use-findings.js';

export function FindingsTab({ id }: { readonly id: string }): ReactNode {
  const query = useFindings(id);
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
