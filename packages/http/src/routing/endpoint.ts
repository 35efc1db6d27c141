/** One route: authenticates, checks the permission and the request, and answers. */
import type { Route } from '@blockwork/contract';
import { BlockworkError } from '@blockwork/core';
import type { Caller, PolicyEngine } from '@blockwork/core';
import { answerOf } from '../answer/reply.js';
import type { Reply } from '../answer/reply.js';
import { refusalOf } from '../answer/refusal.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { withEtag } from '../answer/etag.js';
import { bodyReader } from '../request/body.js';
import { BodyShare } from '../request/body-budget.js';
import type { BodyBudget } from '../request/body-budget.js';
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
  readonly stopping: AbortSignal;
}
export type UntypedHandler = (call: UntypedCall) => Promise<Reply>;

/** `captures` are the parameters as they stand in the path. Never rejects. */
export type Endpoint<Source> = (
  request: HttpRequest<Source>,
  captures: Readonly<Record<string, string>>,
) => Promise<HttpAnswer>;

/** What all endpoints of an interface share. */
export interface EndpointDeps<Source> {
  readonly engine: PolicyEngine;
  readonly options: ResolvedOptions<Source>;
  readonly bodies: BodyBudget;
  /** Aborted when the server is about to close: what waits is then answered as it is. */
  readonly stopping: AbortSignal;
}

export function endpoint<Source>(
  name: string,
  route: Route,
  handle: UntypedHandler,
  { engine, options, bodies, stopping }: EndpointDeps<Source>,
): Endpoint<Source> {
  const { accessLog, etags } = options;
  const parameters = Object.entries(route.params);
  const readBody = bodyReader(route.body, options);
  return async (request, captures) => {
    const requestId = requestIdOf(request, options.ids);
    const since = accessLog?.now() ?? 0;
    const share = readBody === null ? null : new BodyShare(bodies);
    let caller: Caller | null = null;
    let answer: HttpAnswer;
    try {
      caller = await options.authenticate(request);
      assertPermitted(engine, caller, route);
      const params = readParams(parameters, captures);
      const query = readQuery(route.query, request.query);
      const body = readBody === null || share === null ? undefined : await readBody(request, share);
      answer = answerOf(await handle({ engine, caller, params, query, body, stopping }), requestId);
      if (etags && route.method === 'GET') answer = withEtag(answer, request.header('if-none-match'));
    } catch (error) {
      answer = refusalOf(request, error, requestId, options);
    } finally {
      share?.release();
    }
    const { method, path } = request;
    accessLog?.write({ requestId, method, route: name, path, caller: caller?.did ?? null, since }, answer);
    return answer;
  };
}

/** Rejects before reading the body, so that unauthorized requests stay cheap. The engine checks again. */
function assertPermitted(engine: PolicyEngine, caller: Caller, { permission, orPermission }: Route): void {
  if (permission === null || engine.permits(caller, permission)) return;
  if (orPermission !== undefined && engine.permits(caller, orPermission)) return;
  throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
