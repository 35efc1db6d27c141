/** The types of calls, from the types of the contract. */
import type { AnswerOf, BodyOf, Contract, ParamsOf, QueryOf, Route, RouteName, StatusOf } from '@blockwork/contract';

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Becomes the id of the request in answer and log: at most 64 letters, digits and hyphens. */
  readonly requestId?: string;
}

/** For the routes that send data. */
export interface SendOptions extends CallOptions {
  /**
   * 1 to 200 visible ASCII characters. Repeating a call with the same key has no further effect and returns the first
   * response. Default: a new key per call.
   */
  readonly idempotencyKey?: string;
}

/** For the routes that change what a client has read before. */
export interface RevisionOptions {
  /** The revision that was read: the number in the `ETag`. Default: whatever there is. */
  readonly ifMatch?: number;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

type QueryArgs<R extends Route> = R['query'] extends { kind: 'listed' }
  ? { readonly query?: QueryOf<R> }
  : R['query'] extends { kind: 'open' }
    ? { readonly query?: Readonly<Record<string, QueryValue>> }
    : { readonly query?: undefined };

type BodyArgs<R extends Route> = R['body'] extends { kind: 'none' }
  ? { readonly body?: undefined }
  : undefined extends BodyOf<R>
    ? { readonly body?: BodyOf<R> }
    : { readonly body: BodyOf<R> };

export type CallArgs<Name extends RouteName> = ParamsOf<Contract[Name]> &
  QueryArgs<Contract[Name]> &
  BodyArgs<Contract[Name]> &
  (Contract[Name] extends { takesIdempotencyKey: true } ? SendOptions : CallOptions) &
  (Contract[Name] extends { takesIfMatch: true } ? RevisionOptions : unknown);

/** Optional where nothing is required. */
export type CallParameters<Name extends RouteName> =
  object extends CallArgs<Name> ? [args?: CallArgs<Name>] : [args: CallArgs<Name>];

type Success = 200 | 201 | 202;

export type CallResult<Name extends RouteName> = {
  [Status in StatusOf<Contract[Name]> & Success]: {
    readonly status: Status;
    readonly data: AnswerOf<Contract[Name], Status>;
    readonly headers: Headers;
  };
}[StatusOf<Contract[Name]> & Success];

/** The routes that return an event stream. */
export type StreamRoute = {
  [Name in RouteName]: Contract[Name]['answers'] extends { 200: { mediaType: 'text/event-stream' } } ? Name : never;
}[RouteName];

/** The routes that return a single response. */
export type CallRoute = Exclude<RouteName, StreamRoute>;

/** A method for each route with a single response. Each rejects with a `BlockworkApiError`. */
export type RouteCalls = {
  readonly [Name in CallRoute]: (...args: CallParameters<Name>) => Promise<CallResult<Name>>;
};

/** What a call is at run time. */
export interface UntypedArgs extends SendOptions, RevisionOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
}
