/** The page of a policy as its people see it, with the block tree beside it if they want. */
import { lazy, type ReactNode } from 'react';
import { Link } from 'wouter';
import { PageOfPolicy } from '../page/page-of-policy.js';
import { usePeople } from '../session/people.js';
import { useWithSearch } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { useActingIn } from '../trial/acting.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';
import type { TabProps } from './tab.js';

const TreeBeside = lazy(async () => import('./tree/tree-beside.js'));

export function PageTab({ id, status, config, isOwner, isBeside, selected }: TabProps): ReactNode {
  const { active } = usePeople();
  const acting = useActingIn(id, status);
  const { did, name } = acting ?? active ?? { did: '', name: '' };
  const withSearch = useWithSearch();
  const page = `/policies/${encodeURIComponent(id)}/page`;
  return (
    // The page keeps its position in the element tree, so that unsaved form input survives the change.
    <div className={isBeside ? 'split beside in-order' : undefined}>
      <div>
        <p className="beside-toggle">
          {isBeside ? (
            <Link href={withSearch(page)}>{texts.policy.beside.hide}</Link>
          ) : (
            <Link href={withSearch(`${page}/beside`)}>{texts.policy.beside.show}</Link>
          )}
        </p>
        <PageOfPolicy id={id} status={status} config={config} />
      </div>
      {isBeside && (
        <ScreenBoundary>
          <TreeBeside id={id} config={config} selected={selected} isOwner={isOwner} person={{ did, name }} />
        </ScreenBoundary>
      )}
    </div>
  );
}
