/** Schemas of policies, and schemas that belong to none: lists, and changes of one. */
import type { PolicyEngine, PolicyRecord } from '@blockwork/core';
import { z } from 'zod';
import { changeSchema, createSchema, deleteSchema, publishSchema } from '../../policies/schema-changes.js';
import { listedSchema, shownInList, systemSchema, type ListedSchema } from '../../policies/schema-list.js';
import { placeOf } from '../../policies/schema-places.js';
import { listedPolicies, newestFirst, policiesOf } from '../../policies/policy-list.js';
import {
  checked,
  created,
  ok,
  page,
  type SandboxCall,
  type SandboxReply,
  type SandboxRoute,
} from '../../requests/endpoint.js';
import { callerOf, type Person } from '../../requests/person.js';
import { writtenObject } from '../../requests/json-members.js';
import { asTask, type RouteDeps } from '../route-deps.js';

const facts = {
  name: z.string().max(500).default(''),
  description: z.string().max(10_000).default(''),
  entity: z.string().max(100).default('VC'),
  document: writtenObject.default({}),
  context: writtenObject.default({}),
};
export const writtenSchema = z.object(facts);
export const newSchema = z.object({ ...facts, uuid: z.string().max(100).nullish() });
const changed = z.object({ ...facts, id: z.string().min(1).max(200) });
const copied = z.looseObject({
  iri: z.string().min(1).max(500),
  topicId: z.string().min(1).max(100),
  name: z.string().max(500).nullish(),
});
const publication = z.looseObject({ version: z.string().min(1).max(100) });

export function schemaRoutes(deps: RouteDeps): SandboxRoute[] {
  const list = async (call: SandboxCall): Promise<SandboxReply> => page(await listed(deps, call), call.query);
  const schemasWhere = async (call: SandboxCall, wanted: (schema: ListedSchema) => boolean): Promise<SandboxReply> =>
    ok((await schemasOf(deps, call, seenPolicies)).find(wanted) ?? null);
  const create = async (call: SandboxCall): Promise<string> => {
    const { uuid, ...given } = checked(call.body, newSchema);
    const { topicId = '' } = call.params;
    return createSchema(deps, callerOf(await call.person()), { ...given, topicId, uuid: uuid ?? undefined });
  };
  const change = async (call: SandboxCall): Promise<string> => {
    const { id, ...given } = checked({ ...(call.body as object), ...call.params }, changed);
    const caller = callerOf(await call.person());
    await changeSchema(deps, caller, await placeOf(deps, caller, id), given);
    return id;
  };
  const publish = async (call: SandboxCall): Promise<string> => {
    const { version } = checked(call.body, publication);
    const caller = callerOf(await call.person());
    const { id = '' } = call.params;
    await publishSchema(deps, caller, await placeOf(deps, caller, id), version);
    return id;
  };
  return [
    { method: 'GET', path: '/schemas', handle: list },
    { method: 'GET', path: '/schemas/{topicId}', handle: list },
    {
      method: 'GET',
      path: '/schemas/list/all',
      handle: async (call) => ok((await listed(deps, call)).map(withoutContent)),
    },
    {
      method: 'GET',
      path: '/schemas/list/sub',
      handle: async (call) => ok((await listed(deps, call)).map(withoutContent)),
    },
    {
      method: 'GET',
      path: '/schemas/type/{type}',
      handle: (call) => schemasWhere(call, ({ iri }) => iri === `#${call.params['type'] ?? ''}`),
    },
    { method: 'GET', path: '/schema/{id}', handle: (call) => schemasWhere(call, ({ id }) => id === call.params['id']) },
    {
      method: 'GET',
      path: '/schemas/system/entity/{entity}',
      handle: ({ params }) => {
        const { entity = '' } = params;
        const active = deps.books.systemSchemas.all().find((schema) => schema.active && schema.entity === entity);
        return ok(active === undefined ? systemSchema(entity) : shownInList(active));
      },
    },
    {
      method: 'POST',
      path: '/schemas/{topicId}',
      body: 'data',
      handle: async (call) => created(await ofTopic(deps, call, await create(call))),
    },
    {
      method: 'POST',
      path: '/schemas/push/{topicId}',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Create schema', () => create(call)),
    },
    {
      method: 'POST',
      path: '/schemas/push/copy',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Create schema', () => copy(deps, call)),
    },
    ...['/schemas', '/schemas/{id}'].map((path): SandboxRoute => {
      const handle: SandboxRoute['handle'] = async (call) => ok(await ofTopic(deps, call, await change(call)));
      return { method: 'PUT', path, body: 'data', handle };
    }),
    {
      method: 'DELETE',
      path: '/schemas/{schemaId}',
      handle: async (call) => {
        const caller = callerOf(await call.person());
        const { schemaId: id = '' } = call.params;
        const before = await schemasOf(deps, call, ownOnly);
        const topicId = before.find((schema) => schema.id === id)?.topicId;
        await deleteSchema(deps, caller, await placeOf(deps, caller, id));
        return ok(before.filter((schema) => schema.topicId === topicId && schema.id !== id));
      },
    },
    {
      method: 'PUT',
      path: '/schemas/{id}/publish',
      body: 'data',
      handle: async (call) => ok(await ofTopic(deps, call, await publish(call))),
    },
    {
      method: 'PUT',
      path: '/schemas/push/{id}/publish',
      body: 'data',
      handle: (call) =>
        asTask(deps, call, 'Publish schema', async () => ({ count: await publish(call).then(() => 1) })),
    },
  ];
}

/** A copy with another identity, in a topic of the caller's. Resolves with its id. */
async function copy(deps: RouteDeps, call: SandboxCall): Promise<string> {
  const { iri, topicId, name } = checked(call.body, copied);
  const caller = callerOf(await call.person());
  const schema = (await schemasOf(deps, call, seenPolicies)).find((each) => each.iri === iri);
  const place = await placeOf(deps, caller, schema?.id ?? iri);
  const source = place.in === 'book' ? place.schema : place.entry;
  const { document, context, ...given } = checked(source, writtenSchema);
  return createSchema(deps, caller, { ...given, document, context, topicId, ...(name ? { name } : {}) });
}

/** The caller's own schemas of the topic of one of them, which is the last: clients use that. */
async function ofTopic(deps: RouteDeps, call: SandboxCall, id: string): Promise<ListedSchema[]> {
  const own = await schemasOf(deps, { ...call, params: {}, query: new Map() }, ownOnly);
  const changed = own.find((schema) => schema.id === id);
  const others = own.filter((schema) => schema.topicId === changed?.topicId && schema !== changed);
  return changed === undefined ? others : [...others, changed];
}

const ownOnly: PoliciesOf = async (engine, { caller }) =>
  caller === null ? [] : (await policiesOf(engine, caller)).filter(({ owner }) => owner === caller.did);

type PoliciesOf = (engine: PolicyEngine, person: Person) => Promise<PolicyRecord[]>;

/** A single schema is found wherever the caller may look: users of a trial see its documents, too. */
const seenPolicies: PoliciesOf = async (engine, { caller }) => (caller === null ? [] : policiesOf(engine, caller));

const listed = (deps: RouteDeps, call: SandboxCall): Promise<ListedSchema[]> => schemasOf(deps, call, listedPolicies);

/** Newest first: the caller's own, and those of the policies. */
async function schemasOf(
  { engine, books }: RouteDeps,
  { person: of, params, query }: SandboxCall,
  policiesFor: PoliciesOf,
): Promise<ListedSchema[]> {
  const person = await of();
  const { caller } = person;
  if (caller === null) return [];
  const topicId = params['topicId'] ?? query.get('topicId');
  const policyId = query.get('policyId');
  const policies = newestFirst(await policiesFor(engine, person)).filter(
    (policy) =>
      (topicId === undefined || policy.topicId === topicId) && (policyId === undefined || policy.id === policyId),
  );
  const ofPolicies = await Promise.all(
    policies.map(async (policy) =>
      (await engine.program.listSchemas(policy.id)).map((schema) => listedSchema(schema, policy, caller)),
    ),
  );
  const own = books.schemas.of(caller.did).filter((schema) => topicId === undefined || schema.topicId === topicId);
  return [...(policyId === undefined ? own.reverse().map(shownInList) : []), ...ofPolicies.flat()];
}

const withoutContent = ({
  _id,
  id,
  name,
  description,
  topicId,
  uuid,
  version,
  iri,
  status,
  sourceVersion,
}: ListedSchema): object => ({
  ...{ _id, id, name, description, topicId, uuid, version, iri, status, sourceVersion },
});
