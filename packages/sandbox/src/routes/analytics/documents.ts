/** A document of any policy that the caller may look into. */
import { isBlockworkError, type Caller, type DocumentRecord, type PolicyRecord } from '@blockwork/core';
import { SandboxError } from '../../errors.js';
import { newestFirst, policiesOf } from '../../policies/policy-list.js';
import type { RouteDeps } from '../route-deps.js';

export interface OwnedDocument {
  readonly policy: PolicyRecord;
  readonly document: DocumentRecord;
}

/** By its id, for owners of policies and auditors. Rejects with `THING_UNKNOWN`. */
export async function documentById({ engine }: RouteDeps, caller: Caller, id: string): Promise<OwnedDocument> {
  for (const policy of newestFirst(await policiesOf(engine, caller))) {
    try {
      return { policy, document: (await engine.documents.get(caller, policy.id, id)).document };
    } catch (error) {
      if (!isBlockworkError(error) || error.status >= 500) throw error;
    }
  }
  throw new SandboxError('THING_UNKNOWN', { what: 'document', id });
}
