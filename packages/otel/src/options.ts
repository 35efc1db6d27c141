/** Options of the telemetry, checked and with their defaults. */
import { channels, type Operations, type PolicyEngine } from '@blockwork/core';
import { checkOptions, invalidOption, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api';

/** What spans are made of: the channels of core. */
export type SpanName = keyof Operations;

/** Measures engines. Made by `createMetricProducer` of `@blockwork/otel/producer`. */
export interface EngineMetrics {
  /** Measures an engine from now on, beside others. Returns a function that ends it; what was measured stays. */
  readonly watch: (engine: PolicyEngine) => () => void;
}

export interface TelemetryOptions {
  /** Makes the spans; the global provider when absent. */
  readonly tracerProvider?: TracerProvider;
  /** Takes the metrics; the global provider when absent. */
  readonly meterProvider?: MeterProvider;
  /** Takes the metrics instead of a meter provider, at a fraction of the cost. Not beside `meterProvider`. */
  readonly metricProducer?: EngineMetrics;
  /** What becomes a span: everything when absent, nothing for an empty list. Metrics are about everything in any case. */
  readonly spans?: readonly SpanName[];
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
};

type ResolvedOptions = Required<Omit<TelemetryOptions, 'metricProducer'>> & Pick<TelemetryOptions, 'metricProducer'>;

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
  };
}
