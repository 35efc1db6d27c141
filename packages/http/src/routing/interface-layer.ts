/** A layer around the interface: answers its own paths, and may change other requests and responses. */
import type { Caller, Logger, PolicyEngine } from '@blockwork/core';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AccessLog } from '../answer/access-log.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import type { HttpRequest } from '../request/http-request.js';

/** The wrapped interface, as passed to a layer. */
export interface LayerHost {
  readonly engine: PolicyEngine;
  /** Path prefix of every route. */
  readonly prefix: string;
  /** Maximum size of a JSON body in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of a policy file in bytes. */
  readonly policyFileLimit: number;
  readonly logger: Logger;
  readonly accessLog: Pick<AccessLog, 'now' | 'write'> | null;
  /** Rejects with an `AuthenticationError`. Only for requests whose `source` is that of the transport. */
  authenticate(request: HttpRequest): Promise<Caller>;
  /** The response to a failed request; logs errors that the client must not see. */
  refuse(request: HttpRequest, error: unknown): HttpAnswer;
  requestIdOf(request: HttpRequest): string;
  /** Whether the interface has a route with this path and method. */
  hasRoute(method: string, path: string): boolean;
}

/** An extension of a server. Created before the server; a layer belongs to one server. */
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
  /** Takes over a connection with an `Upgrade` header; closes it if its path is unknown. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the connections it has taken over. */
  close(): void;
}
