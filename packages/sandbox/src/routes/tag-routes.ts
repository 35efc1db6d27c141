/** Tags. */
import { isBlockworkError } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { publicTag, type Tag } from '../memory/tag-book.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../requests/endpoint.js';
import { callerOf } from '../requests/person.js';
import type { RouteDeps } from './route-deps.js';

const id = z.string().min(1).max(500);
const entities = ['Policy', 'Schema', 'Token', 'Module', 'Contract', 'Tool', 'PolicyDocument'] as const;
const newTag = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).default(''),
  entity: z.enum(entities),
  target: id.optional(),
  localTarget: id.optional(),
  document: z.unknown().optional(),
});
const search = z.looseObject({
  entity: z.string().max(100),
  target: id.optional(),
  targets: z.array(id).max(1000).optional(),
});

export function tagRoutes(deps: RouteDeps): SandboxRoute[] {
  const { tags, clock } = deps;
  const found = ({ body }: SandboxCall): [string, object][] => {
    const { entity, target, targets = target === undefined ? [] : [target] } = checked(body, search);
    const refreshDate = isoNow(clock);
    return targets.flatMap((each): [string, object][] => {
      const its = tags.of(entity, each).map(publicTag);
      return its.length === 0 ? [] : [[each, { entity, refreshDate, target: each, tags: its }]];
    });
  };
  return [
    {
      method: 'POST',
      path: '/tags',
      body: 'data',
      handle: async (call) => {
        const tag = await tagOf(deps, call);
        tags.add(tag);
        return created(publicTag(tag));
      },
    },
    { method: 'POST', path: '/tags/search', body: 'data', handle: (call) => ok(Object.fromEntries(found(call))) },
    {
      method: 'POST',
      path: '/tags/synchronization',
      body: 'data',
      handle: (call) => {
        const { entity, target } = checked(call.body, search);
        const [known] = found(call);
        return ok(known?.[1] ?? { entity, refreshDate: isoNow(clock), target, tags: [] });
      },
    },
    {
      method: 'DELETE',
      path: '/tags/{uuid}',
      handle: async ({ params, person }) => ok(tags.remove(params['uuid'] ?? '', callerOf(await person()).did)),
    },
    { method: 'GET', path: '/tags/schemas', handle: () => ok([]) },
    { method: 'GET', path: '/tags/schemas/published', handle: () => ok([]) },
  ];
}

/** Throws `TARGET_UNKNOWN` for unknown policies; other targets cannot be checked. */
async function tagOf({ engine, clock, ids }: RouteDeps, call: SandboxCall): Promise<Tag> {
  const caller = callerOf(await call.person());
  const { name, description, entity, target, localTarget = target ?? '', document = null } = checked(call.body, newTag);
  if (entity === 'Policy') {
    await engine.getPolicy(caller, localTarget).catch((error: unknown) => {
      if (!isBlockworkError(error, 'POLICY_UNKNOWN')) throw error;
      throw new SandboxError('TARGET_UNKNOWN', { entity, target: localTarget });
    });
  }
  const uuid = ids.uuid();
  const facts = { name, description, entity, localTarget, document, owner: caller.did, date: isoNow(clock) };
  return { id: uuid.replaceAll('-', '').slice(-24), uuid, ...facts };
}
