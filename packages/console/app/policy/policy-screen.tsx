/** The screen of one policy, with a tab for each aspect. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { PolicyActions } from '../policies/policy-actions.js';
import { StatusMark } from '../policies/status-mark.js';
import { usePeople } from '../session/people.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';
import { policyTabs, tabNamed } from './tabs.js';

/** On narrow screens the tab bar overflows. */
const intoView = (link: HTMLAnchorElement | null): void => link?.scrollIntoView({ block: 'nearest', inline: 'center' });

interface ScreenProps {
  readonly id: string;
  readonly tab: string;
  /** UUID of the selected block, or id of the selected document. */
  readonly selected: string | null;
  /** Whether the block tree is shown beside the page. */
  readonly isBeside?: boolean;
}

export function PolicyScreen({ id, tab, selected, isBeside = false }: ScreenProps): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const shown = tabNamed(tab);
  const query = useQuery({
    queryKey: ['policy', id, active?.did],
    queryFn: async ({ signal }) => client.policy(id).get({ signal }),
  });
  return (
    <Loaded query={query}>
      {({ name, status, version, userRole, owner, config }) => (
        <section className="screen wide">
          <div className="spread">
            <div>
              <h1>{name}</h1>
              <p className="quiet">
                <StatusMark status={status} /> {version} · {userRole}
              </p>
            </div>
            {owner === active?.did && <PolicyActions id={id} name={name} status={status} version={version} />}
          </div>
          <nav className="tabs" aria-label={name}>
            {policyTabs
              .filter(({ isFor }) => isFor({ isOwner: owner === active?.did, status }))
              .map((each) => (
                <Link
                  key={each.name}
                  href={`/policies/${encodeURIComponent(id)}/${each.name}`}
                  className={each === shown ? 'active' : ''}
                  aria-current={each === shown ? 'page' : undefined}
                  ref={each === shown ? intoView : undefined}
                >
                  {each.title}
                </Link>
              ))}
          </nav>
          <ScreenBoundary key={tab}>
            {shown && (
              <shown.page
                {...{ id, name, status, version, config, tab, selected, isBeside }}
                isOwner={owner === active?.did}
              />
            )}
          </ScreenBoundary>
        </section>
      )}
    </Loaded>
  );
}
