/** The approval rule on a store that several nodes share: a request is decided by one of them. */
import { expect, it, vi } from 'vitest';
import { turn } from '../../test/background.js';
import { SimulatedCluster, type ClusterNode } from '../../test/cluster-nodes.js';
import { requestRow } from '../../test/request-row.js';
import { WorkClaims } from '../background/work-claims.js';
import { INSTANCE, type RemoteRequest } from '../records/index.js';
import { type ApprovalRule, AutoApproval } from './auto-approval.js';

const idOf = (at: number): string => `r${String(at).padStart(3, '0')}`;
const row = (at: number, more: Partial<RemoteRequest> = {}): RemoteRequest =>
  requestRow({ id: idOf(at), receivedAt: new Date(Date.UTC(2026, 0, 1) + at).toISOString(), ...more });

function world(rule: ApprovalRule) {
  const cluster = new SimulatedCluster();
  const [node, other] = [cluster.join('a'), cluster.join('b')];
  const asked: string[] = [];
  const approved: string[] = [];
  const put = async (...rows: RemoteRequest[]): Promise<void> => {
    const changes = rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
    await node.store.commit({ expect: {}, changes });
  };
  const auto = new AutoApproval({
    ...node,
    approvalRule: (request) => {
      asked.push(request.id);
      return rule(request);
    },
    approvals: {
      approveByRule: async (id) => {
        approved.push(id);
        await put(requestRow({ id, status: 'COMPLETED' }));
      },
      approveOnArrival: (request) => Promise.resolve(request),
    },
  });
  const claimsOf = ({ clock, logger, leases }: ClusterNode): WorkClaims =>
    new WorkClaims({ work: 'approval', backoff: { firstMs: 200, longestMs: 30_000 }, clock, logger, leases });
  return { cluster, node, auto, asked, approved, put, others: claimsOf(other) };
}

it('a request that another node decides is left to it, and looked up again soon, however many came after it', async () => {
  const { cluster, auto, asked, approved, put, others } = world(({ id }) => id === idOf(0));
  await others.claim([idOf(0)]);
  await put(...Array.from({ length: 250 }, (_, at) => row(at)));
  auto.start();
  await cluster.pass(4_500);
  expect([asked.length, approved]).toEqual([249, []]);
  await others.release([idOf(0)]);
  await cluster.pass(2_500);
  expect([asked.length, approved]).toEqual([250, [idOf(0)]]);
  await auto.stop();
});

it('a request that was postponed by another node is decided when its pause has passed', async () => {
  const { cluster, auto, approved, put, others } = world(() => true);
  await others.claim([idOf(0)]);
  await others.postpone(idOf(0), new Error('no'), 3_000);
  await put(row(0));
  auto.start();
  await cluster.pass(2_500);
  expect(approved).toEqual([]);
  await cluster.pass(3_000);
  expect(approved).toEqual([idOf(0)]);
  await auto.stop();
});

it('what the rule has declined is not asked about again, and costs one page of the newest each time', async () => {
  const { cluster, node, auto, asked, put } = world(() => false);
  await put(...Array.from({ length: 250 }, (_, at) => row(at)));
  auto.start();
  await cluster.pass(5_000);
  expect(asked).toHaveLength(250);
  const find = vi.spyOn(node.store, 'find');
  await cluster.pass(2_000);
  expect(find.mock.calls.filter(([kind]) => kind === 'request').map(([, , query]) => query?.offset)).toEqual([0]);
  await cluster.pass(60_000);
  await turn();
  expect(asked).toHaveLength(250);
  await auto.stop();
});

it('a request that another node has received is decided with the next poll, behind any that were declined', async () => {
  const { cluster, auto, asked, put } = world(() => false);
  await put(...Array.from({ length: 150 }, (_, at) => row(at)));
  auto.start();
  await cluster.pass(3_000);
  expect(asked).toHaveLength(150);
  await put(row(150));
  await cluster.pass(2_500);
  expect(asked).toHaveLength(151);
  await auto.stop();
});
