/** The server for those who operate it: whether it is ready, what waits, its nodes and limits, and what is not known here. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { OwnPolicies } from './own-policies.js';
import { Backlog, Limits, Nodes, Readiness, Store } from './server-state.js';

/** Milliseconds between looks; a hidden tab does not ask. */
const LOOK_MS = 4000;

export default function OperatorScreen(): ReactNode {
  const client = useClient();
  const often = { refetchInterval: LOOK_MS, retry: false } as const;
  const ready = useQuery({
    ...often,
    queryKey: ['operator', 'ready'],
    queryFn: async ({ signal }) => (await client.routes.ready({ signal })).data,
  });
  const operation = useQuery({
    ...often,
    queryKey: ['operator', 'operation'],
    queryFn: async ({ signal }) => client.operation({ signal }),
  });
  const nodes = useQuery({
    ...often,
    queryKey: ['operator', 'nodes'],
    queryFn: async ({ signal }) => client.nodes({ signal }),
  });
  return (
    <section className="screen wide">
      <h1>{texts.operator.title}</h1>
      <p className="quiet">{texts.operator.explain}</p>
      <div className="columns">
        <section className="card">
          <h2>{texts.operator.readiness}</h2>
          {/* What was true before is no answer to whether it is ready now. */}
          {ready.error === null ? (
            <Loaded query={ready}>{(state) => <Readiness state={state} />}</Loaded>
          ) : (
            <>
              <p>
                <span className="mark error">{texts.operator.notReady}</span>
              </p>
              <Failure error={ready.error} onRetry={() => void ready.refetch()} />
            </>
          )}
        </section>
        <section className="card">
          <h2>{texts.operator.store}</h2>
          <Loaded query={operation}>{(state) => <Store state={state} />}</Loaded>
        </section>
        <section className="card">
          <h2>{texts.operator.waiting}</h2>
          <Loaded query={operation}>{(state) => <Backlog state={state} />}</Loaded>
        </section>
        <section className="card">
          <h2>{texts.operator.nodes}</h2>
          <Loaded query={nodes}>{(all) => <Nodes nodes={all} />}</Loaded>
        </section>
        <OwnPolicies />
        <section className="card">
          <h2>{texts.operator.notHere}</h2>
          <p>{texts.operator.slowUnits}</p>
          <p>{texts.operator.log}</p>
        </section>
        <section className="card">
          <h2>{texts.operator.limits}</h2>
          <details>
            <summary>{texts.operator.showLimits}</summary>
            <Loaded query={operation}>{(state) => <Limits state={state} />}</Loaded>
          </details>
        </section>
      </div>
    </section>
  );
}
