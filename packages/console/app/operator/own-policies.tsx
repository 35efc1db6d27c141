/** The timers and webhooks of the reader's own policies, which only their owner can see. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Client, PolicyClient } from '@blockwork/client';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { readWebhooks, Webhooks, type ListedWebhook } from './webhooks.js';

/** Maximum number of policies queried, and of timers per policy. */
const [POLICIES, TIMERS] = [20, 5];

type Timer = ReturnType<PolicyClient['timers']> extends AsyncGenerator<infer Item> ? Item : never;

interface Named {
  readonly policyId: string;
  readonly name: string;
}

interface Own {
  readonly timers: readonly (Timer & Named)[];
  readonly webhooks: readonly ListedWebhook[];
  readonly isCut: boolean;
}

async function readOwn(client: Client, did: string | undefined, signal: AbortSignal): Promise<Own> {
  const own: { id: string; name: string }[] = [];
  for await (const { id, name, owner } of client.policies({ signal })) {
    if (owner === did) own.push({ id, name });
    if (own.length > POLICIES) break;
  }
  const queried = own.slice(0, POLICIES);
  const [timers, webhooks] = await Promise.all([
    Promise.all(
      queried.map(async ({ id: policyId, name }) => {
        const page = { pageIndex: 0, pageSize: TIMERS };
        const { data } = await client.routes.listTimers({ policyId, query: page, signal });
        return data.map((each) => ({ ...each, policyId, name }));
      }),
    ),
    Promise.all(queried.map(async (policy) => readWebhooks(client, policy, signal))),
  ]);
  return {
    timers: timers.flat().sort((a, b) => (a.due < b.due ? -1 : 1)),
    webhooks: webhooks.flat(),
    isCut: own.length > POLICIES,
  };
}

/** Poll interval in milliseconds while dead letters are being resent, because the user waits for the outcome. */
const RESENDING_MS = 1000;
const isResending = ({ resending }: ListedWebhook): boolean => resending;

export function OwnPolicies(): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const query = useQuery({
    queryKey: ['operator', 'own', active?.did],
    queryFn: async ({ signal }) => readOwn(client, active?.did, signal),
    refetchInterval: ({ state }) => (state.data?.webhooks.some(isResending) === true ? RESENDING_MS : POLL_MS),
    retry: false,
  });
  return (
    <>
      <section className="card">
        <h2>{texts.operator.next}</h2>
        <Loaded query={query}>
          {({ timers, isCut }) => (
            <>
              {timers.length === 0 && <p className="quiet">{texts.operator.nothingNext}</p>}
              <ul className="plain">
                {timers.map(({ policyId, name, type, tag, due }, at) => (
                  <li key={at}>
                    <time dateTime={due}>{dateText(due)}</time> {texts.timers.types[type]} {tag}{' '}
                    <Link href={`/policies/${encodeURIComponent(policyId)}/timers`}>{name}</Link>
                  </li>
                ))}
              </ul>
              {isCut && <p className="quiet">{texts.operator.someOf(POLICIES)}</p>}
            </>
          )}
        </Loaded>
      </section>
      <section className="card">
        <h2>{texts.operator.webhooks}</h2>
        <Loaded query={query}>
          {({ webhooks }) =>
            webhooks.length === 0 ? <p className="quiet">{texts.operator.noWebhooks}</p> : <Webhooks all={webhooks} />
          }
        </Loaded>
      </section>
    </>
  );
}
