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
  /**
   * The part of the traces that begin here which becomes spans, from 0 to 1; the others cost little. Of a trace that began
   * elsewhere, its `traceparent` or the active span says whether it is recorded. The sampler of the tracer provider is asked
   * after that, and alone when absent.
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
