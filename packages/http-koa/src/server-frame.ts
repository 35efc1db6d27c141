/** What a server of its own does around the interface: health, paths that are nothing, and the end of connections. */
import { BlockworkError } from '@blockwork/core';
import type { PolicyEngine } from '@blockwork/core';
import type { Context, Middleware } from 'koa';
import { sendFailure, sendReply } from './answer/send.js';
import { TransportError } from './answer/transport-error.js';
import { contract } from './contract/index.js';
import type { ResolvedOptions } from './options.js';
import { requestIdOf } from './request/request-id.js';

export function serverFrame(engine: PolicyEngine, isClosing: () => boolean, options: ResolvedOptions): Middleware {
  return async (ctx, next) => {
    if (isHealth(ctx)) health(ctx, engine, isClosing(), options);
    else await next();
    if (ctx.status === 404 && ctx.body == null) refuse(ctx, new TransportError('ROUTE_UNKNOWN'), options);
    // A connection that stayed open would keep the server from closing.
    if (isClosing()) ctx.set('Connection', 'close');
  };
}

const isHealth = ({ path, method }: Context): boolean =>
  path === contract.health.path && (method === contract.health.method || method === 'HEAD');

/** 503 from the moment that the server or the engine begins to close, so that nobody is sent here any more. */
function health(ctx: Context, engine: PolicyEngine, isClosing: boolean, options: ResolvedOptions): void {
  if (isClosing) refuse(ctx, new TransportError('SERVER_CLOSING'), options);
  else if (!engine.isOpen) refuse(ctx, new BlockworkError('ENGINE_CLOSED'), options);
  else sendReply(ctx, { status: 200, body: { status: 'ok' } }, idOf(ctx, options));
}

const refuse = (ctx: Context, error: unknown, options: ResolvedOptions): void =>
  sendFailure(ctx, error, idOf(ctx, options), options);

const idOf = (ctx: Context, { ids }: ResolvedOptions): string => requestIdOf(ctx.req.headers['x-request-id'], ids);
