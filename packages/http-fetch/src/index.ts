/** The HTTP interface of a policy engine, as a function from `Request` to `Response`. */
export { createPolicyHandler, type HandlerOptions, type PolicyHandler } from './handler.js';
export { AuthenticationError, signDevelopmentToken, TokenAuthenticator } from '@blockwork/http';
export { nodeListener, toRequest, type NodeListener, type NodeRequestOptions } from './node-listener.js';
