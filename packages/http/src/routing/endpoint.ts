/** One route: authenticates, checks the permission and the request, and answers. */
import type { Route } from '@blockwork/contract';
import { BlockworkError } from '@blockwork/core';
import type { Caller, PolicyEngine } from '@blockwork/core';
import { answerOf } from '../answer/reply.js';
import type { Reply } from '../answer/reply.js';
import { refusalOf } from '../answer/refusal.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { bodyReader } from '../request/body.js';
import type { HttpRequest } from '../request/http-request.js';
import { readParams } from '../request/read-params.js';
import { readQuery } from '../request/read-query.js';
import { requestIdOf } from '../request/request-id.js';
import type { ResolvedOptions } from './interface-options.js';

/** A call that was checked against its route at run time. */
interface UntypedCall {
  readonly engine: PolicyEngine;
  readonly caller: Caller;
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
}
export type UntypedHandler = (call: UntypedCall) => Promise<Reply>;

/** `captures` are the parameters as they stand in the path. Never rejects. */
export type Endpoint<Source> = (
  request: HttpRequest<Source>,
  captures: Readonly<Record<string, string>>,
) => Promise<HttpAnswer>;

export function endpoint<Source>(
  engine: PolicyEngine,
  route: Route,
  handle: UntypedHandler,
  options: ResolvedOptions<Source>,
): Endpoint<Source> {
  const parameters = Object.entries(route.params);
  const readBody = bodyReader(route.body, options);
  return async (request, captures) => {
    const requestId = requestIdOf(request, options.ids);
    try {
      const caller = await options.authenticate(request);
      assertPermitted(engine, caller, route);
      const params = readParams(parameters, captures);
      const query = readQuery(route.query, request.query);
      const body = readBody === null ? undefined : await readBody(request);
      return answerOf(await handle({ engine, caller, params, query, body }), requestId);
    } catch (error) {
      return refusalOf(request, error, requestId, options);
    }
  };
}

/** Rejects before reading the body, so that unauthorized requests stay cheap. The engine checks again. */
function assertPermitted(engine: PolicyEngine, caller: Caller, { permission, orPermission }: Route): void {
  if (permission === null || engine.permits(caller, permission)) return;
  if (orPermission !== undefined && engine.permits(caller, orPermission)) return;
  throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
