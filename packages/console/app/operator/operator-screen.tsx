/** The operator's view of the server: readiness, backlog, failures, slow units, log, nodes and limits. */
import type { Client, PolicyClient } from '@blockwork/client';
import { valueText } from '@blockwork/react/rows';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { usePeople } from '../session/people.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText, millisecondsText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { FailingWork, Outbox } from './failing-work.js';
import { isDenied, POLL_OPTIONS } from './poll-options.js';
import { Backlog, Limits, Nodes, Readiness, Store } from './server-state.js';
import { Witnesses } from './witnesses.js';
import { type ListedWebhook, readWebhooks, Webhooks } from './webhooks.js';

export default function OperatorScreen(): ReactNode {
  const client = useClient();
  const ready = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'ready'],
    queryFn: async ({ signal }) => (await client.routes.ready({ signal })).data,
  });
  const operation = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'operation'],
    queryFn: async ({ signal }) => client.operation({ signal }),
  });
  const nodes = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'nodes'],
    queryFn: async ({ signal }) => client.nodes({ signal }),
  });
  const isOperator = !isDenied(operation.error);
  return (
    <section className="screen wide in-order">
      <h1>{texts.operator.title}</h1>
      <p className="quiet">{isOperator ? texts.operator.explain : texts.operator.notOperator}</p>
      <div className="cards in-order">
        <section className="card">
          <h2>{texts.operator.readiness}</h2>
          {/* Stale readiness must not be shown as current. */}
          {ready.error === null ? (
            <Loaded query={ready}>
              {/* Drawn at once: a line that comes later would move what is below. */}
              {(state) =>
                operation.isPending ? <Loading /> : <Readiness state={state} stuck={operation.data?.backlog.stuck} />
              }
            </Loaded>
          ) : (
            <>
              <p>
                <span className="mark error">{texts.operator.notReady}</span>
              </p>
              <Failure error={ready.error} onRetry={() => void ready.refetch()} />
            </>
          )}
        </section>
        {isOperator && (
          <>
            <section className="card">
              <h2>{texts.operator.store}</h2>
              <Loaded query={operation}>{(state) => <Store state={state} />}</Loaded>
            </section>
            <section className="card tall">
              <h2>{texts.operator.waiting}</h2>
              <Loaded query={operation}>{(state) => <Backlog state={state} />}</Loaded>
            </section>
            <section className="card broad">
              <h2>{texts.operator.nodes}</h2>
              <Loaded query={nodes}>{(all) => <Nodes nodes={all} />}</Loaded>
            </section>
          </>
        )}
        <OwnPolicies />
        {isOperator && (
          <section className="card">
            <h2>{texts.operator.limits}</h2>
            <details>
              <summary>{texts.operator.showLimits}</summary>
              <Loaded query={operation}>{(state) => <Limits state={state} />}</Loaded>
            </details>
          </section>
        )}
      </div>
      {isOperator && (
        <>
          <Outbox />
          <FailingWork />
          <Witnesses />
          <SlowUnits />
        </>
      )}
      {operation.data !== undefined && <LogOfRequest isKept={operation.data.isLogKept} />}
    </section>
  );
}

function SlowUnits(): ReactNode {
  const client = useClient();
  const query = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'slow'],
    queryFn: async ({ signal }) => (await client.routes.listSlowUnits({ signal })).data,
  });
  const words = texts.operator.slow;
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <p className="quiet">{words.explain}</p>
      <Loaded query={query}>
        {(units) =>
          units.length === 0 ? (
            <p className="quiet">{words.empty}</p>
          ) : (
            <Table label={words.title} columns={Object.values(words.columns)}>
              {units.map(({ at, ms, cause, policyId, block, attempts, code }, row) => (
                <tr key={row}>
                  <th scope="row">{millisecondsText(ms)}</th>
                  <td>
                    <Link href={`/policies/${encodeURIComponent(policyId)}/live?find=${encodeURIComponent(block)}`}>
                      {block}
                    </Link>
                  </td>
                  <td>{words.causes[cause]}</td>
                  <td>
                    <time dateTime={at}>{dateText(at)}</time>
                  </td>
                  <td>{code === null ? words.attempts(attempts ?? 1) : <span className="problem">{code}</span>}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

const marks = { info: 'mark', warn: 'mark warning', error: 'mark error' } as const;

function LogOfRequest({ isKept }: { readonly isKept: boolean }): ReactNode {
  const words = texts.operator.log;
  return (
    <section className="card">
      <h2 id="log">{words.title}</h2>
      {isKept ? <Lines /> : <p>{words.notKept}</p>}
    </section>
  );
}

/** URL parameter with the number of loaded log pages. */
const LINES = 'lines';

function Lines(): ReactNode {
  const client = useClient();
  const words = texts.operator.log;
  const [typed, setRequest] = useAddressText('request', LINES);
  const requestId = typed.trim().slice(0, 64);
  const { query, items, more } = usePages(
    ['operator', 'log', requestId],
    async (page, signal) =>
      client.routes.listLogLines({
        query: { ...page, ...(requestId === '' ? { level: 'warn' } : { requestId }) },
        signal,
      }),
    { ...POLL_OPTIONS, inAddress: LINES },
  );
  return (
    <>
      <p className="quiet">{words.explain}</p>
      <input
        type="search"
        aria-label={words.request}
        placeholder={words.request}
        value={typed}
        onChange={(event) => {
          setRequest(event.target.value);
        }}
      />
      {query.error !== null && items.length === 0 && (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading />}
      {query.isSuccess && items.length === 0 && (
        <p className="quiet">{requestId === '' ? words.noFailures : words.empty}</p>
      )}
      <ol className="plain log-lines" aria-label={words.title}>
        {items.map(({ at, level, message, requestId: id, fields }, line) => (
          <li key={line}>
            <span className={marks[level]}>{words.levels[level]}</span> <time dateTime={at}>{dateText(at)}</time>{' '}
            {message}
            <p className="quiet">
              {Object.entries({ ...fields, ...(id !== null && { requestId: id }) })
                .map(([name, value]) => `${name}: ${valueText(value)}`)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ol>
      <MoreButton query={query} more={more} />
    </>
  );
}

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

function OwnPolicies(): ReactNode {
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
