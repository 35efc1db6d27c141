/** A validated call of a route, and its handler. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import type { AnswerStream, EventSource } from '../answer/event-stream.js';
import type { Reply } from '../answer/reply.js';
import type { BodyOf, Contract, ParamsOf, QueryOf, routeGroups, RouteName } from '@blockwork/contract';

export interface Call<Name extends RouteName> {
  readonly engine: PolicyEngine;
  /** Path prefix of every route. */
  readonly prefix: string;
  readonly caller: Caller;
  readonly params: ParamsOf<Contract[Name]>;
  readonly query: QueryOf<Contract[Name]>;
  readonly body: BodyOf<Contract[Name]>;
  /** Of a route that takes one. */
  readonly idempotencyKey: string | undefined;
  /** The header `If-Match`, of a route that takes one. */
  readonly ifMatch: string | undefined;
  /** The header `traceparent`, or the trace context of the active tracer. */
  readonly traceparent: string | undefined;
  /** Aborted when the server starts to shut down. */
  readonly stopping: AbortSignal;
  /** The header `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** Responds with an event stream while the caller's token is valid. */
  stream(source: Pick<EventSource, 'events' | 'timeout'>): Promise<AnswerStream>;
}

/** The routes of one subject. */
export type RoutesOf<Group extends keyof typeof routeGroups> = keyof (typeof routeGroups)[Group];

export type HandlersOf<Name extends RouteName> = {
  readonly [Each in Name]: (call: Call<Each>) => Promise<Reply>;
};

/** Routes answered by the engine. */
export type EngineRoute = Exclude<RouteName, RoutesOf<'Service'>>;
