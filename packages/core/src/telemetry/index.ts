/** Telemetry: what the engine reports about its work to subscribers. */
export { channels, type Operations } from './channels.js';
export {
  Inspections,
  type BackgroundWork,
  type Inspection,
  type Inspector,
  type PublishedInspection,
} from './inspections.js';
export { unnamedSource } from './operations.js';
export type * from './operations.js';
export type { Backlog } from './metrics.js';
export {
  BUCKETS,
  measureBacklog,
  measureOperations,
  metrics,
  type BindMetric,
  type Metric,
  type RecordMetric,
} from './metrics.js';
export type { MetricLabels, MetricRecorder } from './metric-recorders.js';
export { SlowestUnits, type SlowUnit } from './slowest-units.js';
export { type CommittedUnit, tracedUnit, type UnitFacts } from './traced-unit.js';
export {
  readTraceparent,
  rememberTraceparent,
  traceFlagsOf,
  validTraceparent,
  writeTraceparent,
  type TraceContext,
} from './traceparent.js';
