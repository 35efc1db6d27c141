/** The HTTP interface of a policy engine, on Koa. */
export { createPolicyRouter, type PolicyRouter } from './router/router.js';
export { createPolicyServer, type ListenOptions, type PolicyServer, type ServerOptions } from './server/server.js';
export type { RouterOptions } from './router/router-options.js';
export type { TimeoutOptions } from './server/timeouts.js';
export { TokenAuthenticator, type TokenOptions, type TokenRules } from './auth/token-authenticator.js';
export type { JsonWebKey } from './auth/jwk-set.js';
export type { KeyOptions } from './auth/key-options.js';
export type { KeyAlgorithm, VerificationKey } from './auth/verification-key.js';
export { AuthenticationError, type AuthenticationProblem } from './auth/authentication-error.js';
export { signDevelopmentToken, type DevelopmentTokenOptions } from './auth/development-token.js';
export { transportErrorTable } from './answer/transport-error.js';
