/** The blocks as a list or a picture, updated live, beside the details of the selected one. */
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLive } from '../../live/live-mark.js';
import { useAddressText, withSearch } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { dateText } from '../../ui/format.js';
import { Loaded } from '../../ui/loaded.js';
import { Loading } from '../../ui/loading.js';
import { BlockDetails } from './block-details.js';
import type { BlockFacts } from './block-marks.js';
import { useUnitPath } from './block-queries.js';
import { BlockTree } from './block-tree.js';
import { LastUnit } from './tree-beside.js';
import { colourings, type Colouring } from './tones.js';
import { blockNode, findNode } from './tree-model.js';
import { useFacts } from './use-facts.js';
import { entryIdOf, tagsOf, type UnitPath } from './unit-path.js';

const TreePicture = lazy(async () => ({ default: (await import('../picture/tree-picture.js')).TreePicture }));

interface LiveProps {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  /** UUID of a block; of the view `way`, id of an entry of the journal. */
  readonly selected: string | null;
  /** `live`, `picture` or `way`. */
  readonly tab: string;
  readonly isOwner: boolean;
}

export default function LiveTab({ id, config, selected, tab: view, isOwner }: LiveProps): ReactNode {
  const root = useMemo(() => blockNode(config ?? {}), [config]);
  const moved = useLive().activity.get(id);
  const [search, setSearch] = useAddressText('find');
  const [colour, setColouring] = useAddressText('colour');
  const colouring: Colouring = colourings.find((each) => each === colour) ?? 'none';
  const [, navigate] = useLocation();
  const lastEntry = moved === undefined ? undefined : entryIdOf(moved.last.revision);
  const pathQuery = useUnitPath(id, view === 'way' && selected !== null ? selected : lastEntry, isOwner);
  const lastRun = pathQuery.data;
  const [chosen, setChosen] = useState<string | null>(null);
  const uuid = view === 'way' ? chosen : selected;
  const node = uuid === null ? undefined : findNode(root, uuid);
  const { facts, work } = useFacts({ policyId: id, root, isOwner, colouring, steps: lastRun?.steps });
  const path = (to: string): string => `/policies/${encodeURIComponent(id)}/${to}`;
  const select = (to: string): void => {
    if (view === 'way') setChosen(to);
    else navigate(withSearch(path(`${view}/${to}`)), { replace: selected !== null });
  };
  const shared = { root, search, selected: uuid, facts, onSelect: select };
  return (
    <div className={view === 'live' ? 'split in-order' : 'split of-picture in-order'}>
      <div className="stack in-order">
        <div className="filters">
          <input
            type="search"
            placeholder={texts.policy.search}
            aria-label={texts.policy.search}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
            }}
          />
          <label>
            {texts.policy.colourBy}{' '}
            <select
              value={colouring}
              onChange={(event) => {
                setColouring(event.target.value === 'none' ? '' : event.target.value);
              }}
            >
              {colourings
                .filter((each) => each !== 'work' || isOwner)
                .map((each) => (
                  <option key={each} value={each}>
                    {texts.policy.colourings[each]}
                  </option>
                ))}
            </select>
          </label>
          <nav className="views" aria-label={texts.policy.views.label}>
            {(['live', 'picture'] as const).map((each) => (
              <Link
                key={each}
                href={withSearch(path(uuid === null ? each : `${each}/${uuid}`))}
                className={each === view ? 'active' : ''}
                aria-current={each === view ? 'page' : undefined}
              >
                {texts.policy.views[each]}
              </Link>
            ))}
          </nav>
        </div>
        <Legend tones={facts.tones.legend} />
        {view === 'way' ? <PathInWords query={pathQuery} isOwner={isOwner} /> : <LastUnit last={moved?.last} />}
        {work.error !== null && <p className="quiet">{texts.policy.notCounted(work.error.message)}</p>}
        {view === 'live' ? (
          <BlockTree {...shared} />
        ) : (
          <Suspense fallback={<Loading />}>
            <TreePicture {...shared} hops={lastRun?.hops ?? []} />
          </Suspense>
        )}
      </div>
      <div className="card details in-order" aria-live="polite">
        {node === undefined ? (
          <p className="quiet">{texts.policy.selectBlock}</p>
        ) : (
          <BlockDetails policyId={id} root={root} node={node} isOwner={isOwner} facts={facts} onSelect={select} />
        )}
      </div>
    </div>
  );
}

const Legend = ({ tones }: { readonly tones: BlockFacts['tones']['legend'] }): ReactNode =>
  tones.length > 0 && (
    <ul className="plain legend" aria-label={texts.policy.legend}>
      {tones.map(({ name, label }) => (
        <li key={name}>
          <span className={`tone-dot tone-${name}`} aria-hidden="true" /> {label}
        </li>
      ))}
    </ul>
  );

interface PathProps {
  readonly query: UseQueryResult<UnitPath>;
  readonly isOwner: boolean;
}

function PathInWords({ query, isOwner }: PathProps): ReactNode {
  if (!isOwner) return <p className="quiet">{texts.journal.ownerOnly}</p>;
  return (
    <Loaded query={query}>
      {(run) => (
        <p className="last-unit">
          {texts.policy.pathOf(Number(run.entry.id), dateText(run.entry.at))} {tagsOf(run).join(' → ')}
        </p>
      )}
    </Loaded>
  );
}
