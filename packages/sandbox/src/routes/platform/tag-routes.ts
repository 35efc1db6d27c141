/** Tags. */
import { isBlockworkError } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import { newId } from '../../memory/new-id.js';
import type { Tag } from '../../memory/things.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { json } from '../../requests/json-members.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

const id = z.string().min(1).max(500);
const entities = ['Policy', 'Schema', 'Token', 'Module', 'Contract', 'Tool', 'PolicyDocument'] as const;
const newTag = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).default(''),
  entity: z.enum(entities),
  target: id.optional(),
  localTarget: id.optional(),
  document: json.nullish(),
});
const search = z.looseObject({
  entity: z.string().max(100),
  target: id.optional(),
  targets: z.array(id).max(1000).optional(),
});

export function tagRoutes(deps: RouteDeps): SandboxRoute[] {
  const {
    books: { tags },
    clock,
  } = deps;
  const targetsOf = ({ body }: SandboxCall): [string, object][] => {
    const { entity, target, targets = target === undefined ? [] : [target] } = checked(body, search);
    const refreshDate = isoNow(clock);
    return targets.flatMap((each): [string, object][] => {
      const its = tags
        .all()
        .filter((tag) => tag.entity === entity && tag.localTarget === each)
        .map(publicTag);
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
        await tags.put(tag);
        return created(publicTag(tag));
      },
    },
    { method: 'POST', path: '/tags/search', body: 'data', handle: (call) => ok(Object.fromEntries(targetsOf(call))) },
    {
      method: 'POST',
      path: '/tags/synchronization',
      body: 'data',
      handle: (call) => {
        const { entity, target } = checked(call.body, search);
        const [entry] = targetsOf(call);
        return ok(entry?.[1] ?? { entity, refreshDate: isoNow(clock), target, tags: [] });
      },
    },
    {
      method: 'DELETE',
      path: '/tags/{uuid}',
      handle: async ({ params, person }) => {
        const own = tags.of(callerOf(await person()).did).find(({ uuid }) => uuid === params['uuid']);
        return ok(own !== undefined && (await tags.delete(own.id)));
      },
    },
  ];
}

/** The tag as sent to clients. */
const publicTag = (tag: Tag): object => ({ ...tag, target: null, status: 'Draft', operation: 'Create' });

/** Throws `TARGET_UNKNOWN` for unknown policies; other targets cannot be checked. */
async function tagOf({ engine, clock, ids }: RouteDeps, call: SandboxCall): Promise<Tag> {
  const caller = callerOf(await call.person());
  const { name, description, entity, target, localTarget = target ?? '', document } = checked(call.body, newTag);
  if (entity === 'Policy') {
    await engine.getPolicy(caller, localTarget).catch((error: unknown) => {
      if (!isBlockworkError(error, 'POLICY_UNKNOWN')) throw error;
      throw new SandboxError('TARGET_UNKNOWN', { entity, target: localTarget });
    });
  }
  const uuid = ids.uuid();
  const facts = {
    name,
    description,
    entity,
    localTarget,
    document: document ?? null,
    owner: caller.did,
    date: isoNow(clock),
  };
  return { id: newId(ids), uuid, ...facts };
}
