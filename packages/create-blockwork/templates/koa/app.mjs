/** A Koa application with the interface of the policies among its routes. */
import { AuthenticationError, createPolicyRouter } from '@blockwork/http-koa';
import Koa from 'koa';

export function createApp(engine, users) {
  const app = new Koa();
  app.use(createPolicyRouter(engine, { authenticate: (ctx) => signedIn(users, ctx.get('authorization')) }).routes());
  app.use(async (ctx) => {
    if (ctx.path === '/healthz') ctx.status = engine.isOpen ? 200 : 503;
    else if (ctx.path === '/') ctx.body = 'The rest of the program.\n';
  });
  return app.callback();
}

function signedIn(users, authorization) {
  const caller = users.callerOf(authorization);
  if (caller === undefined) throw new AuthenticationError('missing', 'Sign in first.');
  return caller;
}
