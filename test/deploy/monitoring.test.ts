/** The alerts and the dashboard refer to metrics that are there, and the runbook knows each alert. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metrics } from '@blockwork/core/adapter';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { textOf, yamlOf } from './support/files.js';
import { printedMetrics } from './support/printed-metrics.js';
import { referencesOf } from './support/promql.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const [{ groups }] = (await yamlOf('monitoring/alerts.yaml')) as [{ groups: { rules: Rule[] }[] }];
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(await textOf('monitoring/dashboard.json')) as { panels: Panel[] };

/** Grafana fills in its variables before Prometheus sees them. */
const filled = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
const charts = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr: filled(expr) })));

/** What Prometheus adds: whether it reached a target, and which. */
const ofPrometheus = { metrics: ['up'], labels: ['job', 'instance'] };

let printed: ReadonlyMap<string, ReadonlySet<string>>;
beforeAll(async () => {
  printed = await printedMetrics();
});

/** The names that `/metrics` does not print. */
function unknownIn(expression: string): string[] {
  const references = referencesOf(expression);
  const labels = new Set([
    ...ofPrometheus.labels,
    ...references.metrics.flatMap((name) => [...(printed.get(name) ?? [])]),
  ]);
  return [
    ...references.metrics.filter((name) => !printed.has(name) && !ofPrometheus.metrics.includes(name)),
    ...references.labels.filter((name) => !labels.has(name)),
  ];
}

describe('alerts', () => {
  it.each(rules)('$alert refers to metrics and labels that are printed', ({ expr }) => {
    expect(referencesOf(expr).metrics).not.toEqual([]);
    expect(unknownIn(expr)).toEqual([]);
  });

  it('have one heading each in the runbook, which they link to, and the runbook has no other', async () => {
    const runbook = await readFile(join(root, 'docs', 'runbook.md'), 'utf8');
    const headings = [...runbook.matchAll(/^### (Blockwork\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toMatch(new RegExp(`/docs/runbook\\.md#${alert.toLowerCase()}$`));
    }
  });

  it('say how urgent they are, and are provoked in their tests', async () => {
    const [{ tests }] = (await yamlOf('monitoring/alerts.test.yaml')) as [{ tests: { name: string }[] }];
    expect(tests.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert));
    expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(new Set(['page', 'ticket']));
  });
});

describe('the dashboard', () => {
  it.each(charts)('draws metrics that are printed: $title', ({ expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it('shows every metric of an engine', () => {
    const shown = new Set(charts.flatMap(({ expr }) => referencesOf(expr).metrics));
    const names = [...printed.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    expect(names.length).toBeGreaterThan(metrics.length);
    const missing = names.filter((name) => ![...shown].some((each) => each.startsWith(name)));
    expect(missing).toEqual([]);
  });

  it('gives each panel a number of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

it('finds names that are not there', () => {
  expect(unknownIn('sum by (colour) (rate(blockwork_refusal_total{error_type="INTERNAL"}[5m]))')).toEqual([
    'blockwork_refusal_total',
    'colour',
    'error_type',
  ]);
  expect(() => referencesOf('sum(')).toThrow('No PromQL');
});
