/** Handlers of the routes by which policies are made and drafts are edited. */
import { BlockworkError, type EditAnswer } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';
import type { Reply } from '../answer/reply.js';

export const editingHandlers: HandlersOf<RoutesOf<'Editing'>> = {
  createPolicy: async ({ engine, caller, body }) => ({ status: 201, body: await engine.editing.create(caller, body) }),
  listTemplates: async ({ engine, caller }) => okList(await engine.editing.templates(caller)),
  listBlockTypes: async ({ engine, caller }) => okList(await engine.editing.blockTypes(caller)),
  checkDefinition: async ({ engine, caller, body }) => okList(await engine.editing.checkDefinition(caller, body)),
  getDefinition: async ({ engine, caller, params }) => {
    const { revision, definition } = await engine.editing.read(caller, params.policyId);
    return { ...ok(definition), revision };
  },
  replaceDefinition: async ({ engine, caller, params, body, idempotencyKey, ifMatch }) =>
    edited(
      await engine.editing.replace(caller, params.policyId, body, { idempotencyKey, ifMatch: revisionOf(ifMatch) }),
    ),
  editPolicy: async ({ engine, caller, params: { policyId }, body, idempotencyKey, ifMatch }) => {
    const undo = memberOf(body, 'undo');
    if (typeof undo === 'string') return edited(await engine.editing.undo(caller, policyId, undo, { idempotencyKey }));
    const options = { idempotencyKey, ifMatch: revisionOf(ifMatch) };
    return edited(await engine.editing.edit(caller, policyId, memberOf(body, 'operations'), options));
  },
  listEdits: async ({ engine, caller, params, query }) =>
    okPage(await engine.editing.history(caller, params.policyId, rangeOf(query))),
  checkPolicy: async ({ engine, caller, params, body }) =>
    okList(await engine.editing.check(caller, params.policyId, memberOf(body, 'operations'))),
};

export const edited = (answer: EditAnswer): Reply => ({ ...ok(answer), revision: answer.revision });

/** The engine checks the members. */
function memberOf(body: unknown, name: string): unknown {
  if (isObject(body)) return body[name];
  const details = [{ path: '', message: 'must be an object' }];
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The body must be a JSON object.' }, details });
}

/** `*` matches whatever there is. */
export function revisionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, revision] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(ifMatch) ?? [];
  if (revision !== undefined) return Number(revision);
  const reason = 'The header If-Match must be the ETag of a definition, such as "12" in quotes.';
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}
