/** Imports of policies, from files and from messages. */
import { BlockworkError, readPolicy, type Caller, type PolicyEngine } from '@blockwork/core';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import { newestFirst, policiesOf } from '../../policies/policy-list.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { allRows } from '../policy-rows.js';
import { asTask, type RouteDeps } from '../route-deps.js';

const announced = z.looseObject({ messageId: z.string().min(1).max(64) });

type Source = (call: SandboxCall) => Uint8Array;

export function importRoutes(deps: RouteDeps): SandboxRoute[] {
  const fromMessage: Source = ({ body }) => {
    const { messageId } = checked(body, announced);
    const file = deps.messages.get(messageId);
    if (file === undefined) throw new SandboxError('MESSAGE_UNKNOWN', { messageId });
    return file;
  };
  const fromFile: Source = ({ body }) => (body instanceof Uint8Array ? body : new Uint8Array());
  return [
    ...routesFor('/policies', 'file', 'Import policy file', deps, fromFile),
    ...routesFor('/policies', 'message', 'Import policy message', deps, fromMessage),
  ];
}

/** A list of policies or a preview, at once or as the result of a task. */
function routesFor(
  path: string,
  kind: 'file' | 'message',
  action: string,
  deps: RouteDeps,
  source: Source,
): SandboxRoute[] {
  const body = kind === 'file' ? ('file' as const) : ('data' as const);
  const post = (route: string, handle: SandboxRoute['handle']): SandboxRoute => ({
    ...{ method: 'POST', path: `${path}${route}`, body, handle },
  });
  return [
    post(`/import/${kind}`, async (call) => {
      await imported(deps, call, source(call));
      return created(await allRows(deps, await call.person()));
    }),
    post(`/push/import/${kind}`, (call) =>
      asTask(deps, call, action, async () => ({ policyId: await imported(deps, call, source(call)), errors: [] })),
    ),
    post(`/import/${kind}/preview`, async (call) => ok(await preview(deps, call, source(call)))),
    post(`/push/import/${kind}/preview`, (call) =>
      asTask(deps, call, `Preview policy ${kind}`, () => preview(deps, call, source(call))),
    ),
  ];
}

async function imported({ engine }: RouteDeps, call: SandboxCall, file: Uint8Array): Promise<string> {
  const caller = callerOf(await call.person());
  const topicId = call.query.get('versionOfTopicId');
  if (topicId === undefined || topicId === '') return (await engine.importPolicy(caller, file)).policy.id;
  return nextVersion(engine, caller, topicId, file);
}

/** The file as the next version of the policy that has the topic. */
async function nextVersion(engine: PolicyEngine, caller: Caller, topicId: string, file: Uint8Array): Promise<string> {
  const before = newestFirst(await policiesOf(engine, caller)).find((policy) => policy.topicId === topicId);
  if (before === undefined) throw new SandboxError('TOPIC_UNKNOWN', { topicId });
  const { policy } = await engine.lifecycle.nextVersion(caller, before.id);
  try {
    await engine.lifecycle.replace(caller, policy.id, file);
  } catch (error) {
    await engine.lifecycle.delete(caller, policy.id);
    throw error;
  }
  return policy.id;
}

/** Requires the right to import. Stores nothing. */
async function preview({ engine }: RouteDeps, call: SandboxCall, file: Uint8Array): Promise<object> {
  const permission = 'POLICIES_POLICY_CREATE';
  if (!engine.permits(callerOf(await call.person()), permission)) {
    throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
  }
  const { name, about, schemas, tokens, artifacts } = await readPolicy(file);
  const { extra: _extra, ...facts } = about;
  return {
    policy: { ...facts, name },
    schemas: schemas.map(({ id, document, source, ...schema }) => ({ ...source, ...schema, iri: id, document })),
    tokens: tokens.map(({ id, source, ...token }) => ({ ...source, ...token, tokenId: id })),
    artifacts: artifacts.map(({ content: _content, ...artifact }) => artifact),
    ...{ tags: [], tools: [], systemSchemas: [], similar: [] },
  };
}
