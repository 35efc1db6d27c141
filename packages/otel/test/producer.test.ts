import { createEngine } from '@blockwork/core';
import { startTelemetry } from '@blockwork/otel';
import { createMetricProducer, type MetricProducerOptions } from '@blockwork/otel/producer';
import { AggregationTemporality, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { HistogramSeries, MetricSeries, SERIES_AT_MOST, SumSeries } from '../src/series.js';
import { closedAfterEach, metricsInMemory, pointsOf, type Watched } from './world.js';

const watched = closedAfterEach();
const opened = async (options?: MetricProducerOptions): Promise<Watched> => {
  const metricProducer = createMetricProducer(options);
  return watched({ metricProducer }, {}, [metricProducer]);
};

/** Without start and end times, and without the additional fields of the SDK's descriptors. */
const withoutTimes = ({ dataPoints, descriptor, ...metric }: MetricData): unknown => ({
  ...metric,
  descriptor: {
    name: descriptor.name,
    unit: descriptor.unit,
    description: descriptor.description,
    valueType: descriptor.valueType,
  },
  dataPoints: dataPoints.map(({ attributes, value }) => ({ attributes, value })),
});

const countOf = (metric: MetricData | undefined): number[] =>
  (metric?.dataPoints ?? []).map(({ value }) => (value as Histogram).count);

describe('the producer of metrics', () => {
  it('reports exactly the values that instruments of the SDK report for the same engine', async () => {
    const { engine, read, send, measured } = await opened();
    const beside = metricsInMemory();
    const stop = startTelemetry(engine, { meterProvider: beside.meterProvider });
    for (let n = 0; n < 3; n += 1) await read();
    await send();
    await expect(read('nowhere')).rejects.toThrow();
    const [ours, theirs] = [await measured(), await beside.measured()];
    stop();
    await beside.meterProvider.shutdown();
    expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
    expect(countOf(ours.get('blockwork.read.duration'))).toEqual([3, 1]);
    for (const [name, metric] of ours) {
      const other = theirs.get(name);
      expect(other && withoutTimes(other), name).toEqual(withoutTimes(metric));
    }
  });

  it('keeps recorded values after it stops watching an engine, and sums several engines', async () => {
    const metricProducer = createMetricProducer();
    const first = await watched({ metricProducer }, {}, [metricProducer]);
    const second = await watched({ metricProducer });
    await first.read();
    first.stop();
    first.stop();
    await first.read();
    await second.read();
    expect(countOf((await first.measured()).get('blockwork.read.duration'))).toEqual([2]);
    expect(countOf((await first.measured()).get('blockwork.read.duration'))).toEqual([2]);
  });

  it('resets its sums after each collection if the temporality is delta', async () => {
    const { read, send, measured } = await opened({ temporality: 'delta' });
    await read();
    await send();
    const [before] = (await measured()).get('blockwork.units')?.dataPoints ?? [];
    await send();
    await send();
    const all = await measured();
    const units = all.get('blockwork.units');
    expect(units?.aggregationTemporality).toBe(AggregationTemporality.DELTA);
    expect(pointsOf(units)).toEqual([{ 'blockwork.outcome': 'done', 'blockwork.attempts': '1', value: 2 }]);
    expect(units?.dataPoints[0]?.startTime).toEqual(before?.endTime);
    expect(all.has('blockwork.read.duration')).toBe(false);
    expect(all.has('blockwork.queue.units')).toBe(true);
  });

  it('cannot be combined with a meter provider, and validates its options', async () => {
    const engine = createEngine();
    const { meterProvider } = metricsInMemory();
    const metricProducer = createMetricProducer();
    expect(() => startTelemetry(engine, { meterProvider, metricProducer })).toThrow(/place of meterProvider/);
    expect(() => startTelemetry(engine, { metricProducer: {} as never })).toThrow(/createMetricProducer/);
    expect(() => createMetricProducer({ temporality: 'both' as never })).toThrow(/metricProducer.temporality/);
    await engine.close();
  });
});

describe('the series of a metric', () => {
  const metric = { name: 'things', kind: 'counter', unit: '{thing}', description: 'Things.', labels: ['at'] } as const;

  it('are limited in number as in the SDK, and further labels share an overflow series', () => {
    const family = new MetricSeries(metric, (labels) => new SumSeries(labels, [0, 0]));
    for (let at = 0; at < SERIES_AT_MOST + 10; at += 1) family.series({ at: `${at}` }).record(1);
    family.series({ at: '0' }).record(1);
    const points = family.points([1, 0]);
    expect(points).toHaveLength(SERIES_AT_MOST);
    expect(points[0]?.value).toBe(2);
    expect(points.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': 'true' }, value: 11 });
  });

  it('assign values to the same buckets as the SDK, bounds included, and ignore what it rejects', async () => {
    const { meterProvider, measured } = metricsInMemory();
    const boundaries = [0.1, 1, 10];
    const advice = { explicitBucketBoundaries: boundaries };
    const theirs = meterProvider.getMeter('test').createHistogram('h', { advice });
    const ours = new HistogramSeries({}, [0, 0], boundaries);
    const sum = new SumSeries({}, [0, 0]);
    for (const value of [-1, NaN]) sum.record(value);
    expect(sum.point([1, 0])).toBeUndefined();
    expect(ours.point([1, 0])).toBeUndefined();
    for (const value of [0, 0.1, 0.11, 1, 10, 10.5, 300, -1]) {
      ours.record(value);
      theirs.record(value);
    }
    expect(ours.point([1, 0])?.value).toEqual((await measured()).get('h')?.dataPoints[0]?.value);
    await meterProvider.shutdown();
  });
});
