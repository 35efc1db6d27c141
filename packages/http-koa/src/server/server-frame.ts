/** What the server adds to the interface: health, unknown paths, and connection shutdown. */
import { BlockworkError } from '@blockwork/core';
import type { PolicyEngine } from '@blockwork/core';
import type { Context, Middleware } from 'koa';
import { sendFailure, sendReply } from '../answer/send.js';
import { TransportError } from '../answer/transport-error.js';
import { contract } from '@blockwork/contract';
import { requestIdOf } from '../request/request-id.js';
import type { ResolvedOptions } from '../router/router-options.js';

export function serverFrame(engine: PolicyEngine, isClosing: () => boolean, options: ResolvedOptions): Middleware {
  return async (ctx, next) => {
    if (isHealth(ctx)) health(ctx, engine, isClosing(), options);
    else await next();
    if (ctx.status === 404 && ctx.body == null) refuse(ctx, new TransportError('ROUTE_UNKNOWN'), options);
    // An open connection would keep the server from closing.
    if (isClosing()) ctx.set('Connection', 'close');
  };
}

const isHealth = ({ path, method }: Context): boolean =>
  path === contract.health.path && (method === contract.health.method || method === 'HEAD');

/** 503 as soon as the server or the engine begins to close, so that load balancers stop sending requests. */
function health(ctx: Context, engine: PolicyEngine, isClosing: boolean, options: ResolvedOptions): void {
  if (isClosing) refuse(ctx, new TransportError('SERVER_CLOSING'), options);
  else if (!engine.isOpen) refuse(ctx, new BlockworkError('ENGINE_CLOSED'), options);
  else sendReply(ctx, { status: 200, body: { status: 'ok' } }, requestIdOf(ctx, options.ids));
}

const refuse = (ctx: Context, error: unknown, options: ResolvedOptions): void =>
  sendFailure(ctx, error, requestIdOf(ctx, options.ids), options);
