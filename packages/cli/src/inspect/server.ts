/** Inspects a running server over HTTP. */
import { createClient } from '@blockwork/client';
import { CommandError } from '../line/failure.js';
import { exitCodes } from '../line/exit-codes.js';
import type { Inspection } from './summary.js';

/** Throws what the server refuses. */
export async function inspectServer(url: string, token: string | undefined): Promise<Inspection> {
  if (token === undefined) {
    const message =
      'A server is inspected with a token: --token, or the variable BLOCKWORK_TOKEN. See "blockwork token".';
    throw new CommandError(exitCodes.usage, message, 'TOKEN_MISSING');
  }
  const client = createClient({ url: url.replace(/\/+$/, ''), token });
  const policies = [];
  for await (const { id, name, status } of client.policies()) {
    policies.push({ id, name, status, units: null, documents: null });
  }
  const { data: requests } = await client.routes.listRequests({ query: { status: 'NEW' } });
  const { data: nodes } = await client.routes.listNodes({});
  const { status } = await fetch(new URL('/readyz', url));
  return {
    source: url,
    policies,
    requests: requests.map((request) => ({
      messageId: request.messageId,
      status: request.status,
      policyId: request.policyId,
    })),
    nodes: nodes.map(({ name, version, since, leases }) => ({ name, version, since, leases })),
    timers: null,
    waiting: null,
    ready: status === 200,
  };
}
