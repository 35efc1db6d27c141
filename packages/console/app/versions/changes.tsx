/** How one policy differs from another by meaning, by area. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';

const areas = ['policy', 'role', 'token', 'schema', 'block', 'event', 'file'] as const;

export function Changes({ id, since }: { readonly id: string; readonly since: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['changes', id, since],
    queryFn: async ({ signal }) => client.policy(id).changes(since, { signal }),
  });
  return (
    <section className="card" aria-live="polite">
      <h2>{texts.versions.changes}</h2>
      <Loaded query={query}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="quiet">{texts.versions.same}</p>
          ) : (
            areas.map((area) => {
              const ofArea = changes.filter((change) => change.area === area);
              if (ofArea.length === 0) return null;
              return (
                <details key={area} open={area !== 'block' || ofArea.length <= 20}>
                  <summary>
                    {texts.versions.areas[area]} ({ofArea.length})
                  </summary>
                  <ul>
                    {ofArea.map(({ name, change }, at) => (
                      <li key={at}>
                        <strong>{name}</strong>: {change}
                      </li>
                    ))}
                  </ul>
                </details>
              );
            })
          )
        }
      </Loaded>
    </section>
  );
}
