/** What a policy holds: its documents by schema, and its people by role. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../../api/server.js';
import { countText } from '../../ui/format.js';
import { Loaded } from '../../ui/loaded.js';
import { studioTexts } from '../texts.js';

const texts = studioTexts.overview;

/** Lines in each list; what is left is one line. */
const SHOWN = 8;

interface Amount {
  readonly name: string;
  readonly count: number;
}

export function Holdings({ id }: { readonly id: string }): ReactNode {
  const { routes } = useClient();
  const query = useQuery({
    queryKey: ['pending work', id, 'holdings'],
    queryFn: async ({ signal }) => (await routes.getOverview({ policyId: id, signal })).data,
    retry: false,
  });
  return (
    <>
      <section className="card">
        <h2>{texts.documents}</h2>
        <Loaded query={query}>
          {({ documents: { total, bySchema } }) => (
            <>
              <Amounts amounts={bySchema} total={total} empty={texts.noDocuments} />
              {total > 0 && (
                <Link href={`/policies/${encodeURIComponent(id)}/documents`}>{texts.allDocuments(total)}</Link>
              )}
            </>
          )}
        </Loaded>
      </section>
      <section className="card">
        <h2>{texts.people}</h2>
        <Loaded query={query}>
          {({ people: { total, byRole } }) => (
            <>
              <Amounts
                amounts={byRole.map(({ role, count }) => ({ name: role, count }))}
                total={total}
                empty={texts.noRoles}
              />
              {total > 0 && <p className="quiet">{texts.allPeople(total)}</p>}
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}

interface AmountsProps {
  readonly amounts: readonly Amount[];
  /** More than all amounts together if there are others. */
  readonly total: number;
  /** What it says where there is nothing. */
  readonly empty: string;
}

/** Each with a bar as long as it is large, compared to the largest. */
function Amounts({ amounts, total, empty }: AmountsProps): ReactNode {
  const shown = amounts.slice(0, SHOWN);
  const rest = total - shown.reduce((sum, { count }) => sum + count, 0);
  const all = rest > 0 ? [...shown, { name: texts.others, count: rest }] : shown;
  if (all.length === 0) return <p className="quiet">{empty}</p>;
  const most = Math.max(...all.map(({ count }) => count), 1);
  return (
    <ul className="plain amounts">
      {all.map(({ name, count }, at) => (
        <li key={at}>
          <span>{name}</span>
          <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
            <rect width={(count / most) * 100} height="10" />
          </svg>
          <span className="amount">{countText(count)}</span>
        </li>
      ))}
    </ul>
  );
}
