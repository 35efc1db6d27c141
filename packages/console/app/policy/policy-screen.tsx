/** One policy: its page as the active person gets it, its blocks, its journal, its findings. */
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { PageOfPolicy } from '../page/page-of-policy.js';
import { PolicyActions } from '../policies/policy-actions.js';
import { StatusMark } from '../policies/status-mark.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { FindingsTab } from './findings-tab.js';
import { LiveTab } from './tree/live-tab.js';

const DocumentsTab = lazy(async () => import('../documents/documents-tab.js'));
const TokensTab = lazy(async () => import('../ledger/tokens-tab.js'));
const TimersTab = lazy(async () => import('../ledger/timers-tab.js'));
const JournalTab = lazy(async () => import('../journal/journal-tab.js'));

const tabs = ['page', 'live', 'documents', 'tokens', 'timers', 'journal', 'findings'] as const;

interface ScreenProps {
  readonly id: string;
  readonly tab: string;
  /** UUID of the selected block, or id of the selected document. */
  readonly selected: string | null;
}

export function PolicyScreen({ id, tab, selected }: ScreenProps): ReactNode {
  const client = useClient();
  const { active } = usePeople();
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
            {owner === active?.did && <PolicyActions id={id} status={status} />}
          </div>
          <nav className="tabs" aria-label={name}>
            {tabs.map((each) => (
              <Link
                key={each}
                href={`/policies/${encodeURIComponent(id)}/${each}`}
                className={each === tab ? 'active' : ''}
                aria-current={each === tab ? 'page' : undefined}
              >
                {texts.policy.tabs[each]}
              </Link>
            ))}
          </nav>
          {tab === 'live' && <LiveTab id={id} config={config} selected={selected} isOwner={owner === active?.did} />}
          {tab === 'documents' && <DocumentsTab id={id} selected={selected} />}
          {tab === 'tokens' && <TokensTab id={id} />}
          {tab === 'timers' && <TimersTab id={id} status={status} />}
          {tab === 'journal' && <JournalTab id={id} config={config} />}
          {tab === 'findings' && <FindingsTab id={id} />}
          {tab === 'page' && <PageOfPolicy id={id} status={status} />}
        </section>
      )}
    </Loaded>
  );
}
