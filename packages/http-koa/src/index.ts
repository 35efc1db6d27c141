/** The HTTP interface of a policy engine, on Koa. */
export { createPolicyRouter, type RouterOptions } from './router/router.js';
export { createPolicyServer, type PolicyServer, type ServerOptions } from './server/server.js';
export type { ListenOptions } from './server/listening.js';
export { serveMetrics, type MetricsServer, type MetricsServerOptions } from './server/metrics-server.js';
export type { TimeoutOptions } from './server/timeouts.js';
export { TokenAuthenticator } from './auth/token-authenticator.js';
export {
  AuthenticationError,
  consoleProviderShape,
  isDid,
  signDevelopmentToken,
  type ConsoleProvider,
  type TokenOptions,
} from '@blockwork/http';
