/** A policy at a glance, for its owner: what waits for whom, what is wrong with it, what it holds, and what happened last. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../../api/server.js';
import { causeText } from '../../journal/cause-text.js';
import type { TabProps } from '../../policy/tab.js';
import { useFindings } from '../../policy/use-findings.js';
import { pendingWorkTexts, waitsFor } from '../../policy/tree/pending-work.js';
import { WithNames } from '../../session/with-names.js';
import { texts as consoleTexts } from '../../texts.js';
import { Ago } from '../../ui/ago.js';
import { Loaded } from '../../ui/loaded.js';
import { blocksOf, permissionsOf } from '../draft/blocks.js';
import { FindingsLink } from '../findings/finding-counts.js';
import { rolesText, studioTexts } from '../texts.js';
import { Activity, Tokens } from './charts.js';
import { Holdings } from './holdings.js';
import '../studio.css';

const texts = studioTexts.overview;

/** Lines in each list. */
const SHOWN = 8;

export default function OverviewPage({ id, config, isOwner }: TabProps): ReactNode {
  if (!isOwner) return <p className="card warning">{texts.ownerOnly}</p>;
  return (
    <div className="overview in-order">
      <Waits id={id} config={config} />
      <Health id={id} />
      <Activity id={id} />
      <Tokens id={id} />
      <Holdings id={id} />
      <Latest id={id} />
    </div>
  );
}

/** Work at blocks, with who may do it. */
function Waits({ id, config }: Pick<TabProps, 'id' | 'config'>): ReactNode {
  const { routes } = useClient();
  const blocks = useMemo(() => blocksOf(config ?? {}), [config]);
  const query = useQuery({
    queryKey: ['pending work', id, 'overview'],
    queryFn: async ({ signal }) =>
      (await routes.listPendingWork({ policyId: id, query: { pageIndex: 0, pageSize: 1000 }, signal })).data,
    retry: false,
  });
  return (
    <section className="card">
      <h2>{texts.waits}</h2>
      <Loaded query={query}>
        {(all) => {
          const busiest = all.filter((counts) => waitsFor(counts) > 0).slice(0, SHOWN);
          if (busiest.length === 0) return <p className="quiet">{texts.nothingWaits}</p>;
          return (
            <ul className="plain rows">
              {busiest.map((counts) => (
                <li key={counts.uuid} className="spread">
                  <span>
                    <Link href={`/policies/${encodeURIComponent(id)}/live/${counts.uuid}`}>
                      {counts.tag || counts.blockType}
                    </Link>{' '}
                    <span className="quiet">{rolesOf(blocks.byId.get(counts.uuid)?.source)}</span>
                  </span>
                  <span>
                    {pendingWorkTexts(counts)
                      .filter(({ kind }) => kind !== 'documents')
                      .map(({ text }) => text)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

const rolesOf = (block: Readonly<Record<string, unknown>> | undefined): string => rolesText(permissionsOf(block ?? {}));

const Health = ({ id }: { readonly id: string }): ReactNode => (
  <section className="card">
    <h2>{studioTexts.findings.title}</h2>
    <Loaded query={useFindings(id)}>{(findings) => <FindingsLink id={id} findings={findings} />}</Loaded>
  </section>
);

function Latest({ id }: { readonly id: string }): ReactNode {
  const { routes } = useClient();
  const query = useQuery({
    queryKey: ['journal', id, 'overview'],
    queryFn: async ({ signal }) => {
      const page = { pageIndex: 0, pageSize: SHOWN, from: 'newest' } as const;
      return (await routes.readJournal({ policyId: id, query: page, signal })).data;
    },
    retry: false,
  });
  return (
    <section className="card">
      <h2>{texts.latest}</h2>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="quiet">{consoleTexts.journal.empty}</p>
          ) : (
            <ul className="plain rows">
              {entries.map(({ id: entry, at, cause, warnings }) => (
                <li key={entry} className="spread">
                  <span className={warnings.length > 0 ? 'problem' : ''}>
                    <WithNames text={causeText(cause)} /> {'tag' in cause && typeof cause.tag === 'string' && cause.tag}
                  </span>
                  <Link className="quiet" href={`/policies/${encodeURIComponent(id)}/way/${entry}`}>
                    <Ago at={at} />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Link href={`/policies/${encodeURIComponent(id)}/journal`}>{texts.journal}</Link>
    </section>
  );
}
