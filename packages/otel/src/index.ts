/** `@blockwork/otel`: OpenTelemetry spans and metrics of an engine. */
export { startTelemetry } from './start-telemetry.js';
export type { SpanName, TelemetryOptions } from './options.js';
