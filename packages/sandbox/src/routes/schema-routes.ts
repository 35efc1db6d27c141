/** Schemas of policies, and schemas created by clients. */
import type { Caller, PolicyEngine, PolicyRecord } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import type { MadeSchema } from '../memory/schema-book.js';
import { listedPolicies, newestFirst, policiesOf } from '../policies/policy-list.js';
import { listedSchema, madeSchema, systemSchema, type ListedSchema } from '../policies/schema-list.js';
import {
  checked,
  created,
  ok,
  page,
  type SandboxCall,
  type SandboxReply,
  type SandboxRoute,
} from '../requests/endpoint.js';
import { callerOf, type Person } from '../requests/person.js';
import { asTask, type RouteDeps } from './route-deps.js';

/** As an object, or as JSON text. */
const jsonObject = z.preprocess(parsedText, z.record(z.string(), z.unknown()));
const draft = z.looseObject({
  name: z.string().max(500).default(''),
  description: z.string().max(10_000).default(''),
  entity: z.string().max(100).default('VC'),
  document: jsonObject.default({}),
  context: jsonObject.default({}),
});
const changed = draft.extend({ id: z.string().min(1).max(200) });
const publication = z.looseObject({ version: z.string().min(1).max(100) });

export function schemaRoutes(deps: RouteDeps): SandboxRoute[] {
  const { schemas } = deps;
  const list = async (call: SandboxCall): Promise<SandboxReply> => page(await listed(deps, call), call.query);
  const found = async (call: SandboxCall, wanted: (schema: ListedSchema) => boolean): Promise<SandboxReply> =>
    ok((await schemasOf(deps, call, seenPolicies)).find(wanted) ?? null);
  const publish = async (call: SandboxCall): Promise<MadeSchema> => {
    const { version } = checked(call.body, publication);
    const schema = { ...(await own(deps, call, call.params['id'] ?? '')), status: 'PUBLISHED' as const, version };
    schemas.put(schema);
    return schema;
  };
  return [
    { method: 'GET', path: '/schemas', handle: list },
    { method: 'GET', path: '/schemas/{topicId}', handle: list },
    {
      method: 'GET',
      path: '/schemas/list/all',
      handle: async (call) => ok((await listed(deps, call)).map(withoutContent)),
    },
    { method: 'GET', path: '/schemas/list/sub', handle: () => ok([]) },
    {
      method: 'GET',
      path: '/schemas/type/{type}',
      handle: (call) => found(call, ({ iri }) => iri === `#${call.params['type'] ?? ''}`),
    },
    { method: 'GET', path: '/schema/{id}', handle: (call) => found(call, ({ id }) => id === call.params['id']) },
    {
      method: 'GET',
      path: '/schemas/system/entity/{entity}',
      handle: ({ params }) => ok(systemSchema(params['entity'] ?? '')),
    },
    {
      method: 'POST',
      path: '/schemas/{topicId}',
      body: 'data',
      handle: async (call) => {
        schemas.put(await newSchema(deps, call));
        const { did } = callerOf(await call.person());
        // Clients use the last one.
        return created(schemas.of(did).map(madeSchema));
      },
    },
    {
      method: 'PUT',
      path: '/schemas',
      body: 'data',
      handle: async (call) => {
        const { id, name, description, entity, document, context } = checked(call.body, changed);
        const before = await own(deps, call, id);
        schemas.put({ ...before, ...{ name, description, entity, document, context }, updateDate: isoNow(deps.clock) });
        return ok(schemas.of(before.owner).map(madeSchema));
      },
    },
    {
      method: 'PUT',
      path: '/schemas/{id}/publish',
      body: 'data',
      handle: async (call) => ok(schemas.of((await publish(call)).owner).map(madeSchema)),
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

type PoliciesOf = (engine: PolicyEngine, person: Person) => Promise<PolicyRecord[]>;

/** A single schema is found wherever the caller may look: users of a trial see its documents, too. */
const seenPolicies: PoliciesOf = async (engine, { caller }) => (caller === null ? [] : policiesOf(engine, caller));

const listed = (deps: RouteDeps, call: SandboxCall): Promise<ListedSchema[]> => schemasOf(deps, call, listedPolicies);

/** Newest first: the caller's own, and those of the policies. */
async function schemasOf(
  { engine, schemas }: RouteDeps,
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
  const made = schemas.of(caller.did).filter((schema) => topicId === undefined || schema.topicId === topicId);
  return [...(policyId === undefined ? made.reverse().map(madeSchema) : []), ...ofPolicies.flat()];
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

async function newSchema({ clock, ids }: RouteDeps, { body, params, person }: SandboxCall): Promise<MadeSchema> {
  const caller: Caller = callerOf(await person());
  const { name, description, entity, document, context } = checked(body, draft);
  const [uuid, now] = [ids.uuid(), isoNow(clock)];
  return {
    ...{ id: uuid.replaceAll('-', '').slice(-24), uuid, topicId: params['topicId'] ?? '', owner: caller.did },
    ...{ name, description, entity, document, context, status: 'DRAFT', version: '', createDate: now, updateDate: now },
  };
}

/** Throws `SCHEMA_UNKNOWN`, also for another user's schema. */
async function own({ schemas }: RouteDeps, { person }: SandboxCall, id: string): Promise<MadeSchema> {
  const { did } = callerOf(await person());
  const schema = schemas.find(id);
  if (schema?.owner !== did) throw new SandboxError('SCHEMA_UNKNOWN', { id });
  return schema;
}

/** Invalid JSON stays a text, which is rejected later. */
function parsedText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parse(value, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    return value;
  }
}
