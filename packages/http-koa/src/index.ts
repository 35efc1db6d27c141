/** The HTTP interface of a policy engine, on Koa. */
export { createPolicyRouter, type PolicyRouter, type RouterOptions } from './router/router.js';
export { createPolicyServer, type ListenOptions, type PolicyServer, type ServerOptions } from './server/server.js';
export type { TimeoutOptions } from './server/timeouts.js';
export { TokenAuthenticator } from './auth/token-authenticator.js';
export { AuthenticationError, isDid, signDevelopmentToken, type TokenOptions } from '@blockwork/http';
