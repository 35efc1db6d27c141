/** The screen of one policy, with a tab for each aspect. */
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { PolicyActions } from '../policies/policy-actions.js';
import { StatusMark } from '../policies/status-mark.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';
import { FindingsTab } from './findings-tab.js';
import { PageTab } from './page-tab.js';

const LiveTab = lazy(async () => import('./tree/live-tab.js'));
const DocumentsTab = lazy(async () => import('../documents/documents-tab.js'));
const TokensTab = lazy(async () => import('../ledger/tokens-tab.js'));
const TimersTab = lazy(async () => import('../ledger/timers-tab.js'));
const TrialTab = lazy(async () => import('../trial/trial-tab.js'));
const VersionsTab = lazy(async () => import('../versions/versions-tab.js'));
const ApiTab = lazy(async () => import('../interface/api-tab.js'));
const JournalTab = lazy(async () => import('../journal/journal-tab.js'));

const tabs = [
  'page',
  'live',
  'documents',
  'tokens',
  'timers',
  'trial',
  'journal',
  'findings',
  'versions',
  'api',
] as const;

/** The blocks as a list, as a picture, and the way of one unit through them. */
const isOfBlocks = (tab: string): tab is 'live' | 'picture' | 'way' => ['live', 'picture', 'way'].includes(tab);

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
  const isShown = (each: string): boolean => each === tab || (each === 'live' && isOfBlocks(tab));
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
            {tabs.map((each) => (
              <Link
                key={each}
                href={`/policies/${encodeURIComponent(id)}/${each}`}
                className={isShown(each) ? 'active' : ''}
                aria-current={isShown(each) ? 'page' : undefined}
                ref={isShown(each) ? intoView : undefined}
              >
                {texts.policy.tabs[each]}
              </Link>
            ))}
          </nav>
          <ScreenBoundary key={tab}>
            {isOfBlocks(tab) && (
              <LiveTab id={id} config={config} selected={selected} view={tab} isOwner={owner === active?.did} />
            )}
            {tab === 'documents' && <DocumentsTab id={id} selected={selected} />}
            {tab === 'tokens' && <TokensTab id={id} />}
            {tab === 'timers' && <TimersTab id={id} status={status} />}
            {tab === 'trial' && <TrialTab id={id} name={name} status={status} />}
            {tab === 'journal' && <JournalTab id={id} config={config} />}
            {tab === 'versions' && <VersionsTab key={id} id={id} status={status} isOwner={owner === active?.did} />}
            {tab === 'api' && <ApiTab id={id} name={name} />}
            {tab === 'findings' && <FindingsTab id={id} />}
            {tab === 'page' && (
              <PageTab
                id={id}
                status={status}
                config={config}
                isOwner={owner === active?.did}
                beside={isBeside ? { selected } : null}
              />
            )}
          </ScreenBoundary>
        </section>
      )}
    </Loaded>
  );
}
