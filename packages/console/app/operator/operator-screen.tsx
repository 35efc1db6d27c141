/** The operator's view of the server: readiness, backlog, failures, slow units, log, nodes and limits. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { FailingWork, Outbox } from './failing-work.js';
import { LogOfRequest } from './log-of-request.js';
import { isDenied, POLL_OPTIONS } from './poll-options.js';
import { OwnPolicies } from './own-policies.js';
import { Backlog, Limits, Nodes, Readiness, Store } from './server-state.js';
import { SlowUnits } from './slow-units.js';

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
          <SlowUnits />
        </>
      )}
      {operation.data !== undefined && <LogOfRequest isKept={operation.data.isLogKept} />}
    </section>
  );
}
