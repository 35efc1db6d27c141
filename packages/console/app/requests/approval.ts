/** The body of an approval: the policy's record, as offered by the other instance or as stored here. */
import type { Client } from '@blockwork/client';
import type { Action } from './requested-action.js';
import type { RequestRow } from './request-row.js';

type PolicyRecord = Awaited<ReturnType<Client['routes']['getPolicy']>>['data'];

/** The configuration is omitted, because the server has it. */
export async function approvalOf(client: Client, { policyId }: RequestRow, action: Action): Promise<PolicyRecord> {
  if (action.type === 'send-data') return { ...(await client.policy(policyId).get()), config: undefined };
  // Nobody has a role before the policy is imported; the server determines the owner.
  return { userRole: '', userRoles: [], ...action.policy, config: undefined };
}
