/** The screen of one policy, with a tab for each aspect. */
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { PageOfPolicy } from '../page/page-of-policy.js';
import { PolicyActions } from '../policies/policy-actions.js';
import { StatusMark } from '../policies/status-mark.js';
import { usePeople } from '../session/people.js';
import { useWithSearch } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { useActingIn } from '../trial/acting.js';
import { Loaded } from '../ui/loaded.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';
import { useFindings } from './use-findings.js';

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

function FindingsTab({ id }: { readonly id: string }): ReactNode {
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

const TreeBeside = lazy(async () => import('./tree/tree-beside.js'));

interface PageTabProps {
  readonly id: string;
  readonly status: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  readonly isOwner: boolean;
  /** `null` to show the page only. */
  readonly beside: { readonly selected: string | null } | null;
}

function PageTab({ id, status, config, isOwner, beside }: PageTabProps): ReactNode {
  const { active } = usePeople();
  const acting = useActingIn(id, status);
  const { did, name } = acting ?? active ?? { did: '', name: '' };
  const withSearch = useWithSearch();
  const page = `/policies/${encodeURIComponent(id)}/page`;
  return (
    // The page keeps its position in the element tree, so that unsaved form input survives the change.
    <div className={beside === null ? undefined : 'split beside in-order'}>
      <div>
        <p className="beside-toggle">
          {beside === null ? (
            <Link href={withSearch(`${page}/beside`)}>{texts.policy.beside.show}</Link>
          ) : (
            <Link href={withSearch(page)}>{texts.policy.beside.hide}</Link>
          )}
        </p>
        <PageOfPolicy id={id} status={status} config={config} />
      </div>
      {beside !== null && (
        <ScreenBoundary>
          <TreeBeside id={id} config={config} selected={beside.selected} isOwner={isOwner} person={{ did, name }} />
        </ScreenBoundary>
      )}
    </div>
  );
}
