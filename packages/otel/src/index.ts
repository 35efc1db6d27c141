/** `@blockwork/otel`: what an engine does, as spans and metrics of OpenTelemetry. */
export { startTelemetry } from './start-telemetry.js';
export type { SpanName, TelemetryOptions } from './options.js';
