/** `@blockwork/http`: the HTTP interface without a transport, for writing your own. */
export { PolicyInterface } from './routing/policy-interface.js';
export {
  interfaceOptionShape,
  resolveOptions,
  type InterfaceOptions,
  type ResolvedOptions,
} from './routing/interface-options.js';
export { consoleProviderShape, type ConsoleProvider } from './service/console-provider.js';
export type { AttachedLayer, InterfaceLayer, LayerHost } from './routing/interface-layer.js';
export { EngineMetrics } from './metrics/engine-metrics.js';
export { PROMETHEUS_TYPE } from './metrics/prometheus-text.js';
export { RouteTable, type RouteMatch } from './routing/route-table.js';
export type { HttpRequest, OnChunk } from './request/http-request.js';
export { Holdings } from './limits/shares.js';
export { BodyBudget, BodyShare } from './request/body-budget.js';
export { collectBody, type BodyBounds } from './request/collect-body.js';
export { assertUsable, plannedImport, schemaWorkbook } from './handlers/spreadsheet.js';
export { parseJson, utf8Of } from './request/json-body.js';
export { mediaType, unsupportedType } from './request/media-type.js';
export { jsonHeaders } from './answer/http-answer.js';
export { isStream, type AnswerStream } from './answer/event-stream.js';
export type { HttpAnswer } from './answer/http-answer.js';
export { TransportError, transportErrorTable } from './answer/transport-error.js';
export { TokenAuthenticator, type TokenOptions, type TokenRules } from './auth/token-authenticator.js';
export { authenticationError, withoutTimes, type TokenVerifier } from './auth/token-authenticator.js';
export { isFromThisMachine } from './auth/loopback.js';
export { selectKey } from './auth/key-selection.js';
export type { JsonWebKey } from './auth/jwk-set.js';
export type { KeySetOptions } from './auth/remote-keys.js';
export type { RoleRule } from './auth/role-rule.js';
export { isDid } from '@blockwork/core';
export type { VerifiedToken } from './auth/claims.js';
export type { KeyOptions } from './auth/key-options.js';
export type { KeyAlgorithm, VerificationKey } from './auth/verification-key.js';
export { AuthenticationError, type AuthenticationProblem } from './auth/authentication-error.js';
export { signDevelopmentToken, type DevelopmentTokenOptions } from './auth/development-token.js';
