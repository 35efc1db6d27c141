/** Process metrics, under the conventional Prometheus names. */
import { EventLoopDelay } from './event-loop-delay.js';
import type { Metric } from '@blockwork/core/adapter';

interface ProcessMetric {
  readonly metric: Metric;
  readonly value: () => number;
}

const processMetric = (
  name: string,
  kind: Metric['kind'],
  unit: string,
  description: string,
  value: () => number,
): ProcessMetric => ({ metric: { name, kind, unit, description, labels: [] }, value });

const loop = new EventLoopDelay();
const startedAt = performance.timeOrigin / 1000;

export const processMetrics: readonly ProcessMetric[] = [
  processMetric('process.cpu', 'counter', 's', 'Processor time of the process, in user mode and in the kernel.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }),
  processMetric('process.resident_memory', 'gauge', 'By', 'Memory of the process that is in use.', () =>
    process.memoryUsage.rss(),
  ),
  processMetric(
    'nodejs.eventloop.delay.max',
    'gauge',
    's',
    'The longest that the event loop was blocked within the last one to two minutes.',
    () => loop.longest(),
  ),
  processMetric('process.start_time', 'gauge', 's', 'When the process began, since 1970.', () => startedAt),
];
