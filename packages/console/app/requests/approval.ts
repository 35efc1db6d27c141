/** The body of an approval: the policy's record, as offered by the other instance or as stored here. */
import type { Client } from '@blockwork/client';
import type { Action } from './requested-action.js';
import type { RequestRow } from './request-row.js';

type PolicyRecord = Awaited<ReturnType<Client['routes']['getPolicy']>>['data'];

/** Without the configuration, which the server has anyway. */
export async function approvalOf(client: Client, { policyId }: RequestRow, action: Action): Promise<PolicyRecord> {
  if (action.type === 'send-data') return { ...(await client.policy(policyId).get()), config: undefined };
  // Nobody has a role before the policy is here; the server works out whose record it is.
  return { userRole: '', userRoles: [], ...action.policy, config: undefined };
}
