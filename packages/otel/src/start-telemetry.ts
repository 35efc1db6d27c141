/** Connects an engine to OpenTelemetry. */
import type { PolicyEngine } from '@blockwork/core';
import { demandObject } from '@blockwork/core/adapter';
import { observe } from './instruments.js';
import { resolveOptions, type TelemetryOptions } from './options.js';
import { parentOrRatio } from './sampling.js';
import { SCOPE } from './scope.js';
import { traceWork } from './spans.js';

/**
 * Records spans and metrics of the engine from now on. Returns a function that stops it, which may be called more than
 * once. Set up the SDK first; without one, nothing is recorded. Throws `OPTION_INVALID`.
 *
 * @example
 * const stop = startTelemetry(engine);
 */
export function startTelemetry(engine: PolicyEngine, options: TelemetryOptions = {}): () => void {
  demandObject(engine, 'startTelemetry', 'engine');
  const { tracerProvider, meterProvider, metricProducer, spans, sampleRatio } = resolveOptions(options);
  const sampler = sampleRatio === undefined ? undefined : parentOrRatio(sampleRatio);
  const { telemetrySource: source } = engine.program;
  const stops = [
    traceWork(source, { tracer: tracerProvider.getTracer(SCOPE), sampler }, spans),
    metricProducer?.watch(engine) ?? observe(engine, meterProvider.getMeter(SCOPE)),
  ];
  return () => {
    for (const stop of stops.splice(0)) stop();
  };
}
