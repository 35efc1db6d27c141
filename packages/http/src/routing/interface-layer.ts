/** A layer around the interface: answers paths of its own, and changes what goes into and out of the others. */
import type { Caller, Logger, PolicyEngine } from '@blockwork/core';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AccessLog } from '../answer/access-log.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import type { HttpRequest } from '../request/http-request.js';

/** What a layer gets of the interface that it is put around. */
export interface LayerHost {
  readonly engine: PolicyEngine;
  /** The path before every route. */
  readonly prefix: string;
  /** Bytes of a JSON body at most. */
  readonly bodyLimit: number;
  /** Bytes of a policy file at most. */
  readonly policyFileLimit: number;
  readonly logger: Logger;
  readonly accessLog: Pick<AccessLog, 'now' | 'write'> | null;
  /** Rejects with an `AuthenticationError`. Only for requests whose `source` is that of the transport. */
  authenticate(request: HttpRequest): Promise<Caller>;
  /** The answer to a request that failed, with its error logged where the client must not see it. */
  refuse(request: HttpRequest, error: unknown): HttpAnswer;
  requestIdOf(request: HttpRequest): string;
  /** Whether the interface has a route with this path and method. */
  hasRoute(method: string, path: string): boolean;
}

/** An extension of a server. Made before the server is; one layer belongs to one server. */
export interface InterfaceLayer {
  attach(host: LayerHost): AttachedLayer;
}

export interface AttachedLayer {
  /**
   * Answers the request, or passes it on, changed or not, to `next`, which returns `undefined` if no route has the path and
   * method; so does this method. The answer never rejects.
   */
  answer<Source>(
    request: HttpRequest<Source>,
    next: (request: HttpRequest<Source>) => Promise<HttpAnswer> | undefined,
  ): Promise<HttpAnswer> | undefined;
  /** The methods of its own routes with this path. */
  methodsAt(path: string): readonly string[];
  /** Called before the server listens. Throws if the layer must not be reached at this address. */
  assertHost(host: string): void;
  /** Takes over a connection whose request has an `Upgrade` header; ends it if there is nothing at its path. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the connections that it took over. */
  close(): void;
}
