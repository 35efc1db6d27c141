/** The calls by which the editor of the reference validates, saves and copies a policy. */
import { packArchive, unpackArchive, type Caller, type PolicyDefinition } from '@blockwork/core';
import { isBlockworkError, type PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { z } from 'zod';
import { editedPolicy, withEdits } from '../../policies/edited-policy.js';
import { ownPolicyWithTopic } from '../../policies/own-policies.js';
import { publicRow } from '../../policies/policy-list.js';
import { verdictOf } from '../../policies/validation.js';
import { checked, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { asActing } from '../policy-rows.js';
import { asTask, type RouteDeps } from '../route-deps.js';

const validated = editedPolicy.extend({ id: z.string().max(200).optional(), topicId: z.string().max(200).nullish() });
const copied = z.looseObject({
  name: z.string().min(1).max(500),
  description: z.string().max(10_000).nullish(),
  topicDescription: z.string().max(10_000).nullish(),
});

export const editRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'PUT',
    path: '/policies/{policyId}',
    body: 'policy',
    handle: async (call) => {
      const { policyId = '' } = call.params;
      const caller = callerOf(await call.person());
      const { revision, definition } = await deps.engine.editing.read(caller, policyId);
      const source = withEdits(definition, checked(call.body, editedPolicy), deps.books.tokens.of(caller.did));
      await deps.engine.editing.replace(caller, policyId, source, { ifMatch: revision });
      return ok(publicRow(await asActing(deps, caller, await deps.engine.getPolicy(caller, policyId))));
    },
  },
  {
    method: 'POST',
    path: '/policies/validate',
    body: 'policy',
    handle: async (call) => ok({ results: await verdict(deps, call), policy: call.body }),
  },
  {
    method: 'POST',
    path: '/policies/push/{policyId}',
    body: 'data',
    handle: (call) => asTask(deps, call, 'Clone policy', () => copy(deps, call)),
  },
];

/** Stores nothing. The editor sends neither schemas nor tokens: they are those of the policy. */
async function verdict({ engine, books }: RouteDeps, { body, person }: SandboxCall): Promise<object> {
  const caller = callerOf(await person());
  const { id, topicId, ...edits } = checked(body, validated);
  const before = (await definitionOf(engine, caller, id, topicId)) ?? nothing;
  const source = withEdits(before, edits, books.tokens.of(caller.did));
  return verdictOf(edits.config, await engine.editing.checkDefinition(caller, source));
}

const nothing = { name: 'Policy', schemas: [], tokens: [] } as unknown as PolicyDefinition;

/** `undefined` for a policy that is not stored, or not the caller's. */
async function definitionOf(
  engine: PolicyEngine,
  caller: Caller,
  id: string | undefined,
  topicId: string | null | undefined,
): Promise<PolicyDefinition | undefined> {
  const policyId = id ?? (topicId ? (await ownPolicyWithTopic(engine, caller, topicId))?.id : undefined);
  if (policyId === undefined) return undefined;
  try {
    return (await engine.editing.read(caller, policyId)).definition;
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN') || isBlockworkError(error, 'POLICY_NOT_OWNED')) return undefined;
    throw error;
  }
}

/** A draft with the content of another policy of the caller, whatever its status, and a tag of its own. Resolves with its id. */
async function copy({ engine }: RouteDeps, { body, params, person }: SandboxCall): Promise<string> {
  const caller = callerOf(await person());
  const files = unpackArchive(await engine.exportPolicy(caller, params['policyId'] ?? ''));
  const policy: unknown = JSON.parse(Buffer.from(files.get('policy.json') ?? '{}').toString('utf8'));
  const { uuid: _uuid, version: _version, previousVersion: _previous, ...content } = isObject(policy) ? policy : {};
  const { name, description, topicDescription } = checked(body, copied);
  const given = Object.entries({ name, description, topicDescription });
  const named = Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
  files.set('policy.json', Buffer.from(JSON.stringify({ ...content, ...named })));
  return (await engine.importPolicy(caller, packArchive(files))).policy.id;
}
