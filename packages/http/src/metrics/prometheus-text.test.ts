import type { Metric } from '@blockwork/core/adapter';
import { describe, expect, it } from 'vitest';
import { MetricFamily, SERIES_AT_MOST } from './prometheus-text.js';

const metric = (more: Partial<Metric> = {}): Metric => ({
  name: 'blockwork.things',
  kind: 'counter',
  unit: '{thing}',
  description: 'Things.',
  labels: ['kind.of'],
  ...more,
});

describe('the text for Prometheus', () => {
  it('adds up counters, by their labels', () => {
    const family = new MetricFamily(metric());
    family.record(1, { 'kind.of': 'a' });
    family.record(2, { 'kind.of': 'a' });
    family.record(1, {});
    expect(family.text()).toBe(
      '# HELP blockwork_things_total Things.\n' +
        '# TYPE blockwork_things_total counter\n' +
        'blockwork_things_total{kind_of="a"} 3\n' +
        'blockwork_things_total 1\n',
    );
  });

  it('keeps the last value of a gauge, with its unit in the name', () => {
    const family = new MetricFamily(metric({ name: 'blockwork.age', kind: 'gauge', unit: 's' }));
    family.record(4, {});
    family.record(2.5, {});
    expect(family.text()).toContain('# TYPE blockwork_age_seconds gauge\nblockwork_age_seconds 2.5\n');
    family.clear();
    expect(family.text()).toBe('');
  });

  it('counts the values of a histogram up to each bound, the bound included', () => {
    const family = new MetricFamily(metric({ name: 'blockwork.read', kind: 'histogram', unit: 's' }), [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) family.record(value, { a: 'b' });
    expect(family.text().split('\n').slice(1, -1)).toEqual([
      '# TYPE blockwork_read_seconds histogram',
      'blockwork_read_seconds_bucket{a="b",le="0.1"} 2',
      'blockwork_read_seconds_bucket{a="b",le="1"} 3',
      'blockwork_read_seconds_bucket{a="b",le="+Inf"} 4',
      'blockwork_read_seconds_sum{a="b"} 3.65',
      'blockwork_read_seconds_count{a="b"} 4',
    ]);
  });

  it('records under labels that come again as under the same labels, from the first value on', () => {
    const family = new MetricFamily(metric());
    const [record, silent] = [family.bind({ 'kind.of': 'a' }), family.bind({ 'kind.of': 'b' })];
    record(1);
    family.record(2, { 'kind.of': 'a' });
    record(1);
    expect(family.text()).toContain('blockwork_things_total{kind_of="a"} 4\n');
    expect(family.text()).not.toContain('kind_of="b"');
    silent(0);
    expect(family.text()).toContain('blockwork_things_total{kind_of="b"} 0\n');
  });

  it('escapes what would end a line or a value', () => {
    const family = new MetricFamily(metric({ description: 'a "b" \\ c\nd' }));
    family.record(1, { a: '"quoted" \\ and\nbroken' });
    expect(family.text()).toBe(
      '# HELP blockwork_things_total a "b" \\\\ c\\nd\n' +
        '# TYPE blockwork_things_total counter\n' +
        'blockwork_things_total{a="\\"quoted\\" \\\\ and\\nbroken"} 1\n',
    );
  });

  it('grows to a limit, however many values a label has', () => {
    const family = new MetricFamily(metric());
    for (let at = 0; at < SERIES_AT_MOST + 10; at += 1) family.record(1, { at: String(at) });
    const lines = family.text().trim().split('\n').slice(2);
    expect(lines).toHaveLength(SERIES_AT_MOST + 1);
    expect(lines.at(-1)).toBe('blockwork_things_total{overflow="true"} 10');
  });
});
