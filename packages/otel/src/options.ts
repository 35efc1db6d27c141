/** The telemetry options, their validation and defaults. */
import { channels, type Operations, type PolicyEngine } from '@blockwork/core';
import { checkOptions, invalidOption, optionTypes, type OptionShape } from '@blockwork/core/adapter';
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

export interface TelemetryOptions {
  /** Creates the spans. Default: the global provider. */
  readonly tracerProvider?: TracerProvider;
  /** Receives the metrics. Default: the global provider. */
  readonly meterProvider?: MeterProvider;
  /** Receives the metrics at a fraction of the cost of a meter provider. Cannot be combined with `meterProvider`. */
  readonly metricProducer?: EngineMetrics;
  /** Operations that become spans. Default: all; none for an empty list. Metrics cover all operations in any case. */
  readonly spans?: readonly SpanName[];
  /**
   * The fraction of the traces started here that are recorded, from 0 to 1; the others cost little. A trace started
   * elsewhere is recorded if its `traceparent` or the active span says so. The tracer provider's sampler decides after
   * that, or alone if this option is absent.
   */
  readonly sampleRatio?: number;
}

const spanNames = Object.keys(channels) as SpanName[];

const provider = (method: string, what: string) =>
  optionTypes.satisfying(
    (value) => typeof (value as Readonly<Record<string, unknown>> | null)?.[method] === 'function',
    `must be a ${what} of OpenTelemetry`,
  );

const shape: OptionShape<TelemetryOptions> = {
  tracerProvider: provider('getTracer', 'tracer provider'),
  meterProvider: provider('getMeter', 'meter provider'),
  metricProducer: optionTypes.satisfying(
    (value) => typeof (value as Readonly<Record<string, unknown>> | null)?.watch === 'function',
    'must be made by createMetricProducer',
  ),
  spans: optionTypes.list(
    optionTypes.satisfying((value) => spanNames.includes(value as SpanName), `must be among ${spanNames.join(', ')}`),
  ),
  sampleRatio: optionTypes.satisfying(
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'must be a number from 0 to 1',
  ),
};

type Optional = 'metricProducer' | 'sampleRatio';
type ResolvedOptions = Required<Omit<TelemetryOptions, Optional>> & Pick<TelemetryOptions, Optional>;

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: TelemetryOptions): ResolvedOptions {
  checkOptions(options, shape, 'telemetry.');
  if (options.meterProvider !== undefined && options.metricProducer !== undefined)
    throw invalidOption('telemetry.metricProducer', 'it takes the place of meterProvider, which is given as well');
  return {
    tracerProvider: options.tracerProvider ?? trace.getTracerProvider(),
    meterProvider: options.meterProvider ?? metrics.getMeterProvider(),
    spans: options.spans ?? spanNames,
    ...(options.metricProducer !== undefined && { metricProducer: options.metricProducer }),
    ...(options.sampleRatio !== undefined && { sampleRatio: options.sampleRatio }),
  };
}
