/** Inspects a running server over HTTP. */
import { BlockworkApiError, createClient, type Client } from '@blockwork/client';
import { shownAddress } from '@blockwork/core/block';
import { CommandError } from '../line/failure.js';
import { exitCodes } from '../line/exit-codes.js';
import type { InspectedTimer, Inspection } from './summary.js';

/** Throws the server's errors. */
export async function inspectServer(url: string, token: string | undefined): Promise<Inspection> {
  if (token === undefined) {
    const message = 'Inspecting a server requires a token: use --token or set BLOCKWORK_TOKEN. See "blockwork token".';
    throw new CommandError(exitCodes.usage, message, 'TOKEN_MISSING');
  }
  const client = createClient({ url: url.replace(/\/+$/, ''), token });
  // First, because it takes an operator's token.
  const nodes = await client.nodes();
  const policies = [];
  for await (const { id, name, status } of client.policies()) {
    policies.push({ id, name, status, units: null, documents: null });
  }
  // A draft has no timers.
  const running = policies.flatMap((policy) => (policy.status === 'DRAFT' ? [] : [policy.id]));
  const timers = await timersOf(client, running);
  const requests = await requestsOf(client);
  const { backlog } = await client.operation();
  const { data: stuck } = await client.routes.listStuckWork({});
  const { status } = await fetch(new URL('/readyz', url));
  return {
    source: shownAddress(url),
    policies,
    requests,
    nodes: nodes.map(({ name, version, since, leases }) => ({ name, version, since, leases })),
    ...timers,
    waiting: { messages: backlog.outbox.messages, effects: backlog.settlements },
    lanes: backlog.units,
    stuck: stuck.map(({ work, id, failures, retryAt, reason }) => ({ work, id, failures, retryAt, reason })),
    ready: status === 200,
  };
}

/** Operators may lack the permission to read requests. */
async function requestsOf(client: Client): Promise<Inspection['requests']> {
  const requests = [];
  try {
    for await (const { messageId, status, policyId } of client.requests({ status: 'NEW' })) {
      requests.push({ messageId, status, policyId });
    }
  } catch (error) {
    if (isRefusal(error, ['PERMISSION_DENIED'])) return null;
    throw error;
  }
  return requests;
}

/** One request per running policy, a few concurrently. */
async function timersOf(
  client: Client,
  policyIds: readonly string[],
): Promise<Pick<Inspection, 'timers' | 'untoldTimers'>> {
  const timers: InspectedTimer[] = [];
  const untoldTimers: string[] = [];
  // The workers share one iterator.
  const remaining = policyIds.values();
  const ask = async (): Promise<void> => {
    for (const policyId of remaining) {
      try {
        for await (const { due, type } of client.policy(policyId).timers()) timers.push({ policyId, due, type });
      } catch (error) {
        if (!isUntold(error)) throw error;
        untoldTimers.push(policyId);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return { timers: timers.sort(byDue), untoldTimers: untoldTimers.sort() };
}

const AT_ONCE = 8;

/** The policy has another owner, or has been deleted meanwhile, or the caller may own none. */
const isUntold = (error: unknown): boolean =>
  isRefusal(error, ['POLICY_NOT_OWNED', 'POLICY_UNKNOWN', 'PERMISSION_DENIED']);

const isRefusal = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof BlockworkApiError && codes.includes(error.error);

const byDue = (a: InspectedTimer, b: InspectedTimer): number =>
  a.due.localeCompare(b.due) || a.policyId.localeCompare(b.policyId);
