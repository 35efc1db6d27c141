/** What happened in the last days: units of work, and what was minted and retired of each token. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../../api/server.js';
import { Loaded } from '../../ui/loaded.js';
import { studioTexts } from '../texts.js';
import { Bars } from './bars.js';
import { perDay, type Happening } from './per-day.js';

const texts = studioTexts.overview;

const DAYS = 14;
/** The most that one page holds: of what is older, the charts say nothing. */
const PAGE = 1000;
/** They are long, and not read again with each unit of work. */
const REST_MS = 60_000;
/** Tokens with charts of their own. */
const TOKENS = 3;

interface ChartProps {
  readonly id: string;
}

export function Activity({ id }: ChartProps): ReactNode {
  const { routes } = useClient();
  const query = useQuery({
    queryKey: ['activity', id],
    refetchInterval: REST_MS,
    queryFn: async ({ signal }) => {
      const page = { pageIndex: 0, pageSize: PAGE, from: 'newest' } as const;
      const { data } = await routes.readJournal({ policyId: id, query: page, signal });
      return data.map(({ at }): Happening => ({ at, amount: 1 }));
    },
    retry: false,
  });
  return (
    <section className="card">
      <h2>{texts.activity}</h2>
      <Loaded query={query}>
        {(units) => <Bars label={texts.activity} days={perDay(units, DAYS, new Date())} unit={texts.units} />}
      </Loaded>
      {query.data?.length === PAGE && <p className="quiet">{texts.newestOnly(PAGE)}</p>}
    </section>
  );
}

export function Tokens({ id }: ChartProps): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['activity', id, 'tokens'],
    refetchInterval: REST_MS,
    queryFn: async ({ signal }) => {
      const policy = client.policy(id);
      const listed = (await policy.tokens({ signal })).slice(0, TOKENS);
      return Promise.all(
        listed.map(async (tokenId) => ({
          token: await policy.token(tokenId, { signal }),
          minted: await effects(tokenId, 'mint', signal),
          retired: await effects(tokenId, 'wipe', signal),
        })),
      );
    },
    retry: false,
  });
  const effects = async (tokenId: string, type: 'mint' | 'wipe', signal: AbortSignal): Promise<Happening[]> => {
    const read = async (pageIndex: number, pageSize: number) =>
      client.routes.listLedger({ policyId: id, query: { tokenId, type, pageIndex, pageSize }, signal });
    // The oldest come first: the newest are on the last page.
    const total = Number((await read(0, 1)).headers.get('x-total-count') ?? 0);
    if (total === 0) return [];
    const { data } = await read(Math.floor((total - 1) / PAGE), PAGE);
    return data.map(({ at, amount = '0' }) => ({ at, amount: Number(amount) }));
  };
  const tokens = (query.data ?? []).filter(({ minted }) => minted.length > 0);
  if (query.isSuccess && tokens.length === 0) return null;
  return (
    <section className="card">
      <h2>{texts.tokens}</h2>
      <Loaded query={query}>
        {() =>
          tokens.map(({ token, minted, retired }) => (
            <div key={token.id}>
              <h3>{token.tokenName}</h3>
              <Bars label={texts.minted} days={perDay(minted, DAYS, new Date())} unit={token.tokenSymbol} />
              {retired.length > 0 && (
                <Bars label={texts.retired} days={perDay(retired, DAYS, new Date())} unit={token.tokenSymbol} />
              )}
            </div>
          ))
        }
      </Loaded>
    </section>
  );
}
