/** The telemetry options, their validation and defaults. */
import { channels, type Operations, type PolicyEngine } from '@blockwork/core';
import {
  invalidOption,
  optionTypes,
  parseOptions,
  type OptionsOf,
  type ResolvedOptions,
} from '@blockwork/core/adapter';
import { metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api';

/** Operations that can become spans: the names of core's diagnostics channels. */
export type SpanName = keyof Operations;

/** Measures engines. Created by `createMetricProducer` of `@blockwork/otel/producer`. */
export interface EngineMetrics {
  /**
   * Measures an engine from now on, in addition to others. Returns a function that stops it; recorded values are kept.
   */
  readonly watch: (engine: PolicyEngine) => () => void;
}

const spanNames = Object.keys(channels) as SpanName[];

const provider = <Provider>(method: string, what: string) =>
  optionTypes.satisfying<Provider>(
    (value) => typeof (value as Readonly<Record<string, unknown>> | null)?.[method] === 'function',
    `must be a ${what} of OpenTelemetry`,
  );

const shape = {
  /** Creates the spans. Default: the global provider. */
  tracerProvider: provider<TracerProvider>('getTracer', 'tracer provider').default(() => trace.getTracerProvider()),
  /** Receives the metrics. Default: the global provider. */
  meterProvider: provider<MeterProvider>('getMeter', 'meter provider').default(() => metrics.getMeterProvider()),
  /** Receives the metrics at a fraction of the cost of a meter provider. Cannot be combined with `meterProvider`. */
  metricProducer: optionTypes.satisfying<EngineMetrics>(
    (value) => typeof (value as Readonly<Record<string, unknown>> | null)?.watch === 'function',
    'must be made by createMetricProducer',
  ),
  /** Operations that become spans. Default: all; none for an empty list. Metrics cover all operations in any case. */
  spans: optionTypes
    .list(
      optionTypes.satisfying<SpanName>(
        (value) => spanNames.includes(value as SpanName),
        `must be among ${spanNames.join(', ')}`,
      ),
    )
    .default(spanNames),
  /**
   * The fraction of the traces started here that are recorded, from 0 to 1; the others cost little. A trace started
   * elsewhere is recorded if its `traceparent` or the active span says so. The tracer provider's sampler decides after
   * that, or alone if this option is absent.
   */
  sampleRatio: optionTypes.satisfying<number>(
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'must be a number from 0 to 1',
  ),
};

export type TelemetryOptions = OptionsOf<typeof shape>;

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: TelemetryOptions): ResolvedOptions<typeof shape> {
  const resolved = parseOptions(options, shape, 'telemetry.');
  if (options.meterProvider !== undefined && options.metricProducer !== undefined)
    throw invalidOption('telemetry.metricProducer', 'it takes the place of meterProvider, which is given as well');
  return resolved;
}
