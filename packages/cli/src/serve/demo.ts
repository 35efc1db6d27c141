/** What people who try the server out find prepared: a role that is taken, and a request that waits for an answer. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlockworkError, type Caller, type PolicyEngine } from '@blockwork/core';
import { offeredPolicy as policy } from './offered-policy.js';
import type { Settings } from './settings.js';

/** An instance whose requests are taken in; here they are made up. */
export const partnerInstance = 'eastern-registry.example';
export const examplePolicy = 'renewable-energy';
export const offerId = '1794996000.204718335';

export interface Demo {
  readonly owner: Caller;
  /** Holds a role in the example policy. */
  readonly developer: Caller;
  /** Holds none. */
  readonly visitor: Caller;
  /** Whether the example policy is here; over another folder of policies, there is less to show. */
  readonly hasExample: boolean;
  /** File with the body of an approval. */
  readonly approval: string;
}

/** However often it is called, the role is taken once, and the request received once. */
export async function prepareDemo(engine: PolicyEngine, settings: Settings): Promise<Demo> {
  const people = {
    owner: { did: settings.owner, username: 'registry', role: 'STANDARD_REGISTRY' },
    developer: { did: 'did:example:developer', username: 'developer', role: 'USER' },
    visitor: { did: 'did:example:visitor', username: 'visitor', role: 'USER' },
  };
  const hasExample = await takeRole(engine, people.developer);
  const approval = await receiveOffer(engine, join(settings.data, 'approval.json'));
  return { ...people, hasExample, approval };
}

/** Resolves with false where the example policy is not loaded. */
async function takeRole(engine: PolicyEngine, developer: Caller): Promise<boolean> {
  try {
    const { userGroups = [] } = await engine.getPolicy(developer, examplePolicy);
    if (userGroups.length === 0) {
      await engine.sendToBlock(developer, examplePolicy, { tag: 'choose_role' }, { role: 'Project Developer' });
    }
    return true;
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN')) return false;
    throw error;
  }
}

/** A partner offers one of its policies. The approver sends the record back as they see it; the file holds that record. */
async function receiveOffer(engine: PolicyEngine, file: string): Promise<string> {
  await engine.program.requests.receive({
    messageId: offerId,
    sender: { instance: partnerInstance, did: policy.owner },
    policyId: policy.id,
    action: { type: 'import-policy', policy },
  });
  const { config: _config, ...record } = policy;
  const body = { ...record, userRole: 'No role', userRoles: ['No role'] };
  await writeFile(file, `${JSON.stringify(body, null, 2)}\n`);
  return file;
}
