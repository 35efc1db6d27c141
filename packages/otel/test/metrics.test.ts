import { MemoryStore } from '@blockwork/core';
import { BUCKETS, metrics } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import type { Meter } from '@opentelemetry/api';
import { DataPointType, MeterProvider, type Histogram } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { closedAfterEach, pointsOf } from './world.js';

const opened = closedAfterEach();

describe('metrics', () => {
  it('count reads and sends by type, and refusals by code', async () => {
    const { read, send, measured } = await opened();
    await read();
    await read();
    await send();
    await expect(read('nowhere')).rejects.toThrow();
    const all = await measured();
    const reads = all.get('blockwork.read.duration');
    expect(reads).toMatchObject({ dataPointType: DataPointType.HISTOGRAM, descriptor: { unit: 's' } });
    const counts = (reads?.dataPoints ?? []).map(({ attributes, value }) => [attributes, (value as Histogram).count]);
    expect(counts).toEqual([
      [{ 'blockwork.block.type': 'note', 'blockwork.read.kept': 'false' }, 2],
      [{ 'error.type': 'BLOCK_UNKNOWN' }, 1],
    ]);
    expect((reads?.dataPoints[0]?.value as Histogram).buckets.boundaries).toEqual(BUCKETS);
    expect(pointsOf(all.get('blockwork.refusals'))).toEqual([
      { 'blockwork.operation': 'read', 'error.type': 'BLOCK_UNKNOWN', value: 1 },
    ]);
    expect(pointsOf(all.get('blockwork.units'))).toEqual([
      { 'blockwork.outcome': 'done', 'blockwork.attempts': '1', value: 1 },
    ]);
    expect(pointsOf(all.get('blockwork.commit.units'))).toEqual([{ value: 1 }]);
  });

  it('are summed before they reach the SDK, and none is lost when telemetry stops', async () => {
    const sums: number[] = [];
    const inner = new MeterProvider().getMeter('test');
    const createCounter: Meter['createCounter'] = (name, about) => {
      const counter = inner.createCounter(name, about);
      if (name !== 'blockwork.units') return counter;
      return { add: (value) => void sums.push(value) };
    };
    const meter = Object.assign(Object.create(inner) as Meter, { createCounter });
    const { send, stop } = await opened({ meterProvider: { getMeter: () => meter } });
    for (let n = 0; n < 3; n += 1) await send();
    expect(sums).toEqual([]);
    stop();
    expect(sums).toEqual([3]);
  });

  it('report the backlog when they are collected', async () => {
    const store = new MemoryStore();
    const dead = { id: 'd', webhookId: 'w', body: '{}', messageId: 'm', reason: 'r', createDate: '2026-01-01' };
    await store.commit({
      expect: {},
      changes: [{ op: 'put', kind: 'webhook-dead-letter', partition: INSTANCE, value: dead }],
    });
    const { measured } = await opened({}, { store });
    const all = await measured();
    expect(pointsOf(all.get('blockwork.link.connected'))).toEqual([{ value: 1 }]);
    expect(pointsOf(all.get('blockwork.webhooks.dead_letters'))).toEqual([{ value: 1 }]);
    expect(pointsOf(all.get('blockwork.outbox.messages'))).toEqual([{ value: 0 }]);
  });

  it('of a closed engine keep their counts but have no backlog', async () => {
    const { engine, read, measured } = await opened();
    await read();
    await engine.close();
    const all = await measured();
    expect(all.has('blockwork.read.duration')).toBe(true);
    expect(pointsOf(all.get('blockwork.outbox.messages'))).toEqual([]);
  });

  it('have unique names, and no labels but those they declare', async () => {
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
    const { read, send, measured } = await opened();
    await read();
    await send();
    const metricByName = new Map(metrics.map((metric) => [metric.name, metric]));
    for (const [name, { descriptor, dataPoints }] of await measured()) {
      const metric = metricByName.get(name);
      expect(descriptor).toMatchObject({ unit: metric?.unit, description: metric?.description });
      for (const { attributes } of dataPoints)
        expect(metric?.labels).toEqual(expect.arrayContaining(Object.keys(attributes)));
    }
  });
});
