/**
 * The metrics of an engine, in one table for all exporters. Labels are types, codes, routes and statuses, of which
 * there are few: never a user, a policy or a document.
 */
import { channels, type Operations } from './channels.js';
import { type Label, type MetricLabels, type MetricRecorder, recordersBy } from './metric-recorders.js';
import type { Operation, TelemetrySource } from './operations.js';

export interface Metric {
  /** An OpenTelemetry metric name. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** `s` for seconds, otherwise the thing counted, in braces. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
}

/** Upper bounds of the buckets of every histogram, in seconds. */
export const BUCKETS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

interface OperationMetric<Work> extends Omit<Metric, 'labels'> {
  /** `undefined`: nothing to record. */
  readonly value: (operation: Work) => number | undefined;
  readonly labels: readonly Label<Work>[];
}

const seconds = ({ ms = 0 }: Operation): number => ms / 1000;
const errorType: Label<Operation> = { name: 'error.type', of: ({ code }) => code };
const duration = <Work extends Operation>(
  name: string,
  description: string,
  ...labels: Label<Work>[]
): OperationMetric<Work> => ({
  name: `blockwork.${name}.duration`,
  kind: 'histogram',
  unit: 's',
  description,
  labels: [...labels, errorType],
  value: seconds,
});

const blockType = {
  name: 'blockwork.block.type',
  of: (operation: { readonly blockType?: string }) => operation.blockType,
};
const messageType = {
  name: 'blockwork.message.type',
  of: (operation: { readonly messageType?: string }) => operation.messageType,
};
const timerType: Label<Operations['timer']> = { name: 'blockwork.timer.type', of: (operation) => operation.timerType };

const refusals = (operation: 'read' | 'send'): OperationMetric<Operation> => ({
  name: 'blockwork.refusals',
  kind: 'counter',
  unit: '{refusal}',
  description: 'Reads and sends that failed, by their error.',
  labels: [{ name: 'blockwork.operation', of: () => operation }, errorType],
  value: ({ code }) => (code === undefined ? undefined : 1),
});

type OperationMetrics = { readonly [Name in keyof Operations]: readonly OperationMetric<Operations[Name]>[] };

const operationMetrics: OperationMetrics = {
  read: [
    duration<Operations['read']>('read', 'Reads of blocks.', blockType, {
      name: 'blockwork.read.kept',
      of: ({ kept: isCached }) => isCached,
    }),
    refusals('read'),
  ],
  send: [
    duration<Operations['send']>(
      'send',
      'Units of work that ran blocks, from the queue to the disk.',
      { name: 'blockwork.cause', of: ({ cause }) => cause },
      blockType,
    ),
    {
      name: 'blockwork.units',
      kind: 'counter',
      unit: '{unit}',
      description: 'Units of work that ran blocks, by how they ended and how often they ran until they were committed.',
      labels: [
        { name: 'blockwork.outcome', of: ({ outcome }) => outcome },
        { name: 'blockwork.attempts', of: ({ attempts }) => few(attempts) },
      ],
      value: () => 1,
    },
    refusals('send'),
  ],
  commit: [
    duration('commit', 'Writes of finished units of work to the store, several at once.'),
    {
      name: 'blockwork.commit.units',
      kind: 'counter',
      unit: '{unit}',
      description: 'Units of work that were written to the store.',
      labels: [],
      value: ({ outcome, units }) => (outcome === 'done' ? units : undefined),
    },
  ],
  settle: [
    duration<Operations['settle']>('settle', 'Attempts to settle an effect on the external ledger.', {
      name: 'blockwork.effect.type',
      of: ({ effectType }) => effectType,
    }),
  ],
  outbox: [duration<Operations['outbox']>('outbox', 'Attempts to send a message to another instance.', messageType)],
  message: [
    duration<Operations['message']>(
      'message',
      'Messages of other instances; the error is the reason for which one was refused.',
      messageType,
    ),
  ],
  webhook: [duration('webhook', 'Attempts to post an event to a webhook.')],
  timer: [
    duration<Operations['timer']>('timer', 'Timers that were carried out.', timerType),
    {
      name: 'blockwork.timer.lateness',
      kind: 'histogram',
      unit: 's',
      description: 'How long after its time a timer was carried out.',
      labels: [timerType],
      value: ({ lateMs }) => lateMs / 1000,
    },
  ],
  http: [
    {
      name: 'http.server.request.duration',
      kind: 'histogram',
      unit: 's',
      description: 'Requests over HTTP to the routes of the interface; a stream of events counts until it begins.',
      labels: [
        { name: 'http.request.method', of: ({ method }) => method },
        { name: 'http.route', of: ({ route }) => route },
        { name: 'http.response.status_code', of: ({ status }) => status },
      ],
      value: seconds,
    },
  ],
};

interface GaugeMetric extends Metric {
  readonly of: (backlog: Backlog) => readonly { readonly value: number; readonly labels: MetricLabels }[];
}

const gauge = (name: string, unit: string, description: string, of: (backlog: Backlog) => number): GaugeMetric => ({
  name: `blockwork.${name}`,
  kind: 'gauge',
  unit,
  description,
  labels: [],
  of: (backlog) => [{ value: of(backlog), labels: {} }],
});

const gauges: readonly GaugeMetric[] = [
  gauge(
    'queue.units',
    '{unit}',
    'Units of work of this process that wait for their turn.',
    ({ units }) => units.waiting,
  ),
  gauge('queue.lanes', '{lane}', 'Lanes of this process with work in them.', ({ units }) => units.lanes),
  gauge('outbox.messages', '{message}', 'Messages in the store that wait to be sent.', ({ outbox }) => outbox.messages),
  gauge('outbox.age', 's', 'How long the oldest of them has waited.', ({ outbox }) => outbox.oldestMs / 1000),
  gauge(
    'settlements',
    '{effect}',
    'Effects in the store that the external ledger lacks.',
    (backlog) => backlog.settlements,
  ),
  gauge(
    'requests.open',
    '{request}',
    'Requests of other instances that nobody has decided.',
    ({ requests }) => requests.open,
  ),
  gauge('requests.age', 's', 'How long the oldest of them has waited.', ({ requests }) => requests.oldestMs / 1000),
  gauge('timers.late', 's', 'How long the first timer has been due.', ({ timers }) => timers.lateMs / 1000),
  gauge('webhooks.dead_letters', '{event}', 'Events that webhooks gave up.', ({ deadLetters }) => deadLetters),
  {
    name: 'blockwork.stuck',
    kind: 'gauge',
    unit: '{part}',
    description: 'Policies, requests or messages for which background work fails and is retried.',
    labels: ['blockwork.work'],
    of: ({ stuck }) => Object.entries(stuck).map(([work, value]) => ({ value, labels: { 'blockwork.work': work } })),
  },
  gauge('link.connected', '1', '1 while the link to other instances is connected.', (backlog) =>
    backlog.isLinkConnected ? 1 : 0,
  ),
];

/** All of them, each name once. */
export const metrics: readonly Metric[] = [
  ...new Map(
    [...Object.values(operationMetrics).flat().map(described), ...gauges.map(plain)].map((metric) => [
      metric.name,
      metric,
    ]),
  ).values(),
];

const byName = new Map(metrics.map((metric) => [metric.name, metric]));

/**
 * Returns the recorder of a metric under these labels. Called once per combination while they are few, so that a
 * measurement is one call; labels without a value are left out. Neither may throw.
 */
export type BindMetric = (metric: Metric, labels: MetricLabels) => MetricRecorder;

/** Measures the work of one engine, until the returned function is called. */
export function measureOperations(source: TelemetrySource, bind: BindMetric): () => void {
  const names = Object.keys(channels) as (keyof Operations)[];
  const stops = names.map((name) => measure(name, source, bind));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Receives each value of the backlog. */
export type RecordMetric = (metric: Metric, value: number, labels: MetricLabels) => void;

/** Measures the backlog once. */
export function measureBacklog(backlog: Backlog, record: RecordMetric): void {
  for (const { name, of } of gauges) {
    const metric = byName.get(name);
    for (const { value, labels } of of(backlog)) if (metric !== undefined) record(metric, value, labels);
  }
}

function measure<Name extends keyof Operations>(name: Name, source: TelemetrySource, bind: BindMetric): () => void {
  const each = operationMetrics[name].map((metric) => {
    const metricOf = byName.get(metric.name) ?? described(metric);
    const { value, labels } = metric as OperationMetric<Operation>;
    return { value, recorder: recordersBy(labels, (labels) => bind(metricOf, labels)) };
  });
  // TypeScript cannot infer that the channel and its metrics belong together.
  const channel = channels[name] as unknown as (typeof channels)['read'];
  return channel.subscribe({
    end: (operation) => {
      if (operation.source !== source) return;
      for (const { value, recorder } of each) {
        const measured = value(operation);
        if (measured !== undefined) recorder(operation)(measured);
      }
    },
  });
}

function described({
  labels,
  ...metric
}: Omit<Metric, 'labels'> & { readonly labels: readonly { name: string }[] }): Metric {
  return plain({ ...metric, labels: labels.map(({ name }) => name) });
}

function plain({ name, kind, unit, description, labels }: Metric): Metric {
  return { name, kind, unit, description, labels };
}

/** More than three attempts indicate a problem, whatever their number. */
const few = (attempts: number | undefined): string | undefined =>
  attempts === undefined || attempts <= 3 ? attempts?.toString() : '4 or more';

/** The backlog: pending work in this process and in the store. */

export interface Backlog {
  /** Units of work and tasks of this process that have not started, and lanes that are in use. */
  readonly units: { readonly waiting: number; readonly lanes: number };
  /** Unsent messages to other instances. Ages are in milliseconds, 0 if there are none. */
  readonly outbox: { readonly messages: number; readonly oldestMs: number };
  /** Effects not yet settled on the external ledger. */
  readonly settlements: number;
  /** Undecided requests of other instances. */
  readonly requests: { readonly open: number; readonly oldestMs: number };
  /** How long the earliest timer has been overdue. */
  readonly timers: { readonly lateMs: number };
  /** Dead letters of webhooks. */
  readonly deadLetters: number;
  /** Work that fails and is retried: for how many policies, requests or messages. */
  readonly stuck: Readonly<Record<string, number>>;
  readonly isLinkConnected: boolean;
}
