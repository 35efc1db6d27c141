/** One route: authenticates, checks the permission and the request, and answers. */
import type { Route } from '@blockwork/contract';
import { BlockworkError, channels, systemTimers, validTraceparent } from '@blockwork/core';
import type { Caller, HttpOperation, PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { type AnswerStream, type EventSource, eventStream, isStream } from '../answer/event-stream.js';
import { answerOf } from '../answer/reply.js';
import type { Reply } from '../answer/reply.js';
import { refusalOf } from '../answer/refusal.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { withEtag } from '../answer/etag.js';
import { AuthenticationError } from '../auth/authentication-error.js';
import type { EngineRoute } from '../handlers/index.js';
import type { RequestLimits } from '../limits/request-limits.js';
import { bodyReader } from '../request/body.js';
import { BodyShare } from '../request/body-budget.js';
import type { BodyBudget } from '../request/body-budget.js';
import { type HttpRequest, requestIdOf } from '../request/http-request.js';
import { readParams } from '../request/read-params.js';
import { readQuery } from '../request/read-query.js';
import type { ResolvedOptions } from './interface-options.js';

/** A call validated against its route at run time. */
interface UntypedCall {
  readonly engine: PolicyEngine;
  readonly prefix: string;
  readonly caller: Caller;
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly traceparent: string | undefined;
  readonly stopping: AbortSignal;
  readonly lastEventId: string | undefined;
  readonly stream: (source: Pick<EventSource, 'events' | 'timeout'>) => Promise<AnswerStream>;
}
export type UntypedHandler = (call: UntypedCall) => Promise<Reply>;

/** `captures` are the parameters as they stand in the path. Never rejects. */
export type Endpoint<Source> = (
  request: HttpRequest<Source>,
  captures: Readonly<Record<string, string>>,
) => Promise<HttpAnswer>;

/** The shared dependencies of all endpoints. */
export interface EndpointDeps<Source> {
  readonly engine: PolicyEngine;
  readonly options: ResolvedOptions<Source>;
  readonly bodies: BodyBudget;
  readonly limits: RequestLimits;
  /** Aborted when the server starts to shut down: waiting requests are then answered immediately. */
  readonly stopping: AbortSignal;
}

/** Routes that send data to one policy, named in the path or the body. */
const sends: ReadonlySet<string> = new Set<EngineRoute>([
  'sendToBlock',
  'sendToBlockByTag',
  'sendExternalData',
  'sendExternalDataToBlock',
]);

export function endpoint<Source>(
  name: string,
  route: Route,
  handle: UntypedHandler,
  { engine, options, bodies, limits, stopping }: EndpointDeps<Source>,
): Endpoint<Source> {
  const { accessLog, etags } = options;
  const parameters = Object.entries(route.params);
  const readBody = bodyReader(route.body, options);
  const isSend = sends.has(name);
  const wholePath = options.prefix + route.path;
  const answerTo = async (
    request: HttpRequest<Source>,
    captures: Readonly<Record<string, string>>,
    requestId: string,
    traceparent: string | undefined,
  ): Promise<HttpAnswer> => {
    const since = accessLog?.now() ?? 0;
    let share: BodyShare | null = null;
    let caller: Caller | null = null;
    let sendsTo: string | null = null;
    let answer: HttpAnswer;
    try {
      caller = await admitted(engine, options, request);
      limits.admit(caller.did);
      const as = request.header('act-as');
      if (as === undefined) assertPermitted(engine, caller, route);
      const params = readParams(parameters, captures);
      const actor = as === undefined ? caller : await actingAs(engine, caller, params['policyId'], as);
      if (as !== undefined) assertPermitted(engine, actor, route);
      const query = readQuery(route.query, request.query);
      if (isSend && params['policyId'] !== undefined) {
        limits.beginSend(params['policyId'], caller.did);
        sendsTo = params['policyId'];
      }
      share = readBody === null ? null : new BodyShare(bodies, caller.did);
      const body = readBody === null || share === null ? undefined : await readBody(request, share);
      if (isSend && sendsTo === null) {
        // An unknown policy is refused by the engine, after the permission check.
        const policyId = await engine.program.findPolicyTagged(policyTagIn(body));
        if (policyId !== undefined) limits.beginSend(policyId, caller.did);
        sendsTo = policyId ?? null;
      }
      const idempotencyKey = route.takesIdempotencyKey ? request.header('idempotency-key') : undefined;
      const ifMatch = route.takesIfMatch ? request.header('if-match') : undefined;
      const lastEventId = request.header('last-event-id');
      const stream = streamOf(request, engine, options, stopping);
      const { prefix } = options;
      const headers = { idempotencyKey, ifMatch, traceparent, lastEventId };
      const call = { engine, prefix, caller: actor, params, query, body, ...headers, stopping, stream };
      answer = answerOf(await handle(call), requestId);
      if (etags && route.method === 'GET') answer = withEtag(answer, request.header('if-none-match'));
    } catch (error) {
      answer = refusalOf(request, error, requestId, options);
    } finally {
      share?.release();
      if (sendsTo !== null && caller !== null) limits.endSend(sendsTo, caller.did);
    }
    if (caller !== null && limits.countsBytes) limits.charge(caller.did, (share?.bytes ?? 0) + lengthOf(answer));
    const { method, path } = request;
    accessLog?.write({ requestId, method, route: name, path, caller: caller?.did ?? null, since }, answer);
    return answer;
  };
  return (request, captures) => {
    const requestId = requestIdOf(request, options.ids);
    const received = request.header('traceparent');
    if (!channels.http.isHeard) return answerTo(request, captures, requestId, received);
    const operation: HttpOperation = {
      source: engine.program.telemetrySource,
      traceparent: validTraceparent(received),
      requestId,
      method: route.method,
      route: wholePath,
    };
    return channels.http.trace(
      operation,
      () => answerTo(request, captures, requestId, operation.traceparent),
      noteStatus,
    );
  };
}

function noteStatus(operation: HttpOperation, { status }: HttpAnswer): void {
  operation.status = status;
}

const policyTagIn = (body: unknown): string =>
  isObject(body) && typeof body['policyTag'] === 'string' ? body['policyTag'] : '';

/** Creates event streams that end when the token expires or the server shuts down. */
const streamOf =
  <Source>(
    request: HttpRequest<Source>,
    engine: PolicyEngine,
    options: ResolvedOptions<Source>,
    stopping: AbortSignal,
  ): UntypedCall['stream'] =>
  (source) =>
    eventStream(
      { ...source, stopping, renew: () => admitted(engine, options, request).then(() => options.validFor(request)) },
      { timers: systemTimers, logger: options.logger, heartbeatMs: options.eventHeartbeat },
    );
/** Event streams are not counted. */
const lengthOf = ({ body }: HttpAnswer): number => (body === null || isStream(body) ? 0 : Buffer.byteLength(body));

/** Revocation is checked on every request: a verified token may be revoked at any time, through any node. */
export async function admitted<Source>(
  engine: PolicyEngine,
  options: ResolvedOptions<Source>,
  request: HttpRequest<Source>,
): Promise<Caller> {
  const { caller, tokenId } = await options.identify(request);
  if (tokenId !== undefined && (await engine.program.isTokenRevoked(tokenId))) {
    throw new AuthenticationError('revoked', 'The token was revoked.');
  }
  return caller;
}

/** The owner of a policy acting as a user of its trial. */
async function actingAs(
  engine: PolicyEngine,
  owner: Caller,
  policyId: string | undefined,
  did: string,
): Promise<Caller> {
  if (policyId !== undefined) return engine.trials.caller(owner, policyId, did);
  const reason = 'The header Act-As is only allowed in requests about one policy.';
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** Rejects before reading the body, so that unauthorized requests stay cheap. The engine checks again. */
function assertPermitted(engine: PolicyEngine, caller: Caller, { permission, orPermission }: Route): void {
  if (permission === null || engine.permits(caller, permission)) return;
  if (orPermission !== undefined && engine.permits(caller, orPermission)) return;
  throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
