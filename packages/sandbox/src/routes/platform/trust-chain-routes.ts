/** Trust chains of minted presentations, for auditors. */
import { isBlockworkError, type Caller, type DocumentRecord, type PolicyRecord } from '@blockwork/core';
import { BlockworkError } from '@blockwork/core';
import { newestFirst, policiesOf } from '../../policies/policy-list.js';
import { ok, page, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { SandboxError } from '../../errors.js';
import type { RouteDeps } from '../route-deps.js';

interface Presentation {
  readonly policy: PolicyRecord;
  readonly document: DocumentRecord;
}

export const trustChainRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'GET',
    path: '/trust-chains',
    handle: async (call) => {
      const caller = await auditorOf(deps, call);
      const [policyId, owner] = [call.query.get('policyId'), call.query.get('policyOwner')];
      const rows = (await presentations(deps, caller, policyId)).filter(
        ({ policy }) => owner === undefined || policy.owner === owner,
      );
      return page(rows.map(row), call.query);
    },
  },
  {
    method: 'GET',
    path: '/trust-chains/{hash}',
    handle: async (call) => {
      const caller = await auditorOf(deps, call);
      const { hash = '' } = call.params;
      const named = (await presentations(deps, caller)).find(
        ({ document }) => document['hash'] === hash || document.id === hash,
      );
      if (named === undefined) throw new SandboxError('THING_UNKNOWN', { what: 'document', id: hash });
      return ok(await chainOf(deps, caller, named));
    },
  },
];

/** Rejects with `PERMISSION_DENIED`. */
async function auditorOf({ engine }: RouteDeps, call: SandboxCall): Promise<Caller> {
  const permission = 'POLICIES_POLICY_AUDIT';
  const caller = callerOf(await call.person());
  if (!engine.permits(caller, permission)) throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
  return caller;
}

/** Of each published policy at most, oldest first. */
const OF_A_POLICY = 1_000;

async function presentations({ engine }: RouteDeps, caller: Caller, policyId?: string): Promise<Presentation[]> {
  const all: Presentation[] = [];
  for (const policy of newestFirst(await policiesOf(engine, caller))) {
    if (policyId !== undefined && policy.id !== policyId) continue;
    const query = { dataType: 'vp-documents', limit: OF_A_POLICY } as const;
    const listed = await engine.documents.list(caller, policy.id, query).catch((error: unknown) => {
      // A trial or draft of a registry is none of an auditor's business.
      if (isBlockworkError(error) && error.status < 500) return { items: [] };
      throw error;
    });
    all.push(...listed.items.map((document) => ({ policy, document })));
  }
  return all;
}

const row = ({ policy, document: { id, owner, createDate, ...record } }: Presentation): object => ({
  ...{ _id: id, id, hash: record['hash'] ?? id, policyId: policy.id, policyName: policy.name, owner, createDate },
  ...{ type: record['type'] ?? null, document: record['document'] },
});

/** From the presentation back to the first registrations, and who signed. */
async function chainOf(
  { engine, accounts }: RouteDeps,
  caller: Caller,
  { policy, document }: Presentation,
): Promise<object> {
  const { links, isTrusted, missing } = await engine.documents.trustChain(caller, policy.id, document.id);
  const chain = links
    .map(({ messageId, document: linked, signer, roles, proof }) => ({
      id: linked?.id ?? messageId,
      type: linked?.dataType === 'vp-documents' ? 'VP' : linked === undefined ? 'MESSAGE' : 'VC',
      ...{ tag: linked?.['tag'] ?? null, label: linked?.['type'] ?? null, entity: linked?.['type'] ?? null },
      ...{ messageId, owner: signer, roles, schema: linked?.['schema'] ?? null, proof: proof ?? null },
      document: linked ?? null,
    }))
    .reverse();
  const signers = [...new Set(links.map(({ signer }) => signer))];
  const userMap = signers.map((did) => ({ did, username: accounts.byDid(did)?.username ?? null }));
  return { chain, userMap, isTrusted, missing };
}
