/** The page of a policy, with an optional tree of its blocks beside it. */
import { lazy, type ReactNode } from 'react';
import { Link } from 'wouter';
import { PageOfPolicy } from '../page/page-of-policy.js';
import { usePeople } from '../session/people.js';
import { useWithSearch } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { useActingIn } from '../trial/acting.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';

const TreeBeside = lazy(async () => import('./tree/tree-beside.js'));

interface PageTabProps {
  readonly id: string;
  readonly status: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  readonly isOwner: boolean;
  /** `null` to show the page only. */
  readonly beside: { readonly selected: string | null } | null;
}

export function PageTab({ id, status, config, isOwner, beside }: PageTabProps): ReactNode {
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
