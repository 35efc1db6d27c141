/** What operators ask of an instance: what waits in it, what fails, how it is set up. No contents of policies. */
import type { Caller } from '../access/index.js';
import type { StuckWork, Watched } from '../background/index.js';
import { demandOptions } from '../options/index.js';
import type { LogLine, LogReader, PolicyStore } from '../ports/index.js';
import { INSTANCE, isObject } from '../records/index.js';
import type { OutboxMessage } from '../records/index.js';
import type { Backlog, SlowUnit, TelemetrySource } from '../telemetry/index.js';
import type { RecordReader } from '../transactions/index.js';
import { version } from '../version.js';
import type { Gate } from './gate.js';
import type { EngineLimits } from './limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from './page.js';
import type { BacklogCheck } from './program/backlog-check.js';

export interface OperationSummary {
  /** Of the software. */
  readonly version: string;
  /** What the store can do: whether acknowledged changes survive the process, whether several processes may share it. */
  readonly store: PolicyStore['capabilities'];
  /** In this process, and in the store that others may share. */
  readonly backlog: Backlog;
  /** By name; `null` for one that does not limit. */
  readonly limits: Readonly<Record<keyof EngineLimits, number | null>>;
  /** Whether this process keeps its last log lines. */
  readonly isLogKept: boolean;
}

/** A message for another instance that was not sent yet. Never what it says. */
export interface WaitingMessage {
  readonly id: string;
  /** What it is about, such as `request` or `completed`. */
  readonly type: string;
  /** The instance that is to get it. */
  readonly to: string;
  readonly policyId: string;
  /** The conversation that it belongs to: the `startMessageId` of its request. */
  readonly startMessageId: string;
  /** Since when it waits, ISO 8601. */
  readonly since: string;
  /** Attempts that failed, in a row, as far as this process knows. */
  readonly failures: number;
  /** ISO 8601; `null` for a message that has not failed. */
  readonly retryAt: string | null;
  /** The last error; `null` for a message that has not failed. It may name hosts. */
  readonly reason: string | null;
}

export interface LogQuery extends Range {
  /** Lines about this HTTP request, as its answer and its error named it. */
  readonly requestId?: string | undefined;
  /** The lowest level; `info` by default. */
  readonly level?: LogLine['level'] | undefined;
}

export interface OperationDeps {
  readonly store: RecordReader & Pick<PolicyStore, 'capabilities'>;
  readonly backlog: BacklogCheck;
  readonly limits: EngineLimits;
  readonly watched: readonly Watched[];
  readonly source: TelemetrySource;
  readonly recentLog: LogReader | null;
}

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `ENGINE_CLOSED`. */
export class InstanceOperation {
  constructor(
    private readonly gate: Gate,
    private readonly deps: OperationDeps,
  ) {}

  /**
   * The state of this instance. Looks at the store at most once a second. Throws `STORE_UNAVAILABLE`, and what every method throws,
   * `ENGINE_CLOSED` among them.
   */
  async get(caller: Caller): Promise<OperationSummary> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { store, backlog, limits, recentLog } = this.deps;
    const { durable, shared } = store.capabilities;
    return {
      version,
      store: { durable, shared },
      backlog: await backlog.check(),
      limits: finite(limits),
      isLogKept: recentLog !== null,
    };
  }

  /**
   * Messages for other instances that were not sent yet, those that wait longest first; 100 when the range says no limit. Throws
   * `INPUT_INVALID` for a limit above 1000, `PAGE_TOO_LARGE`, `STORE_UNAVAILABLE`, and what every method throws, `ENGINE_CLOSED` among them.
   */
  async outbox(caller: Caller, range: Range = {}): Promise<ListPage<WaitingMessage>> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    demandOptions(range, 'operation.outbox', 'range');
    const { store, limits } = this.deps;
    const order = { path: 'createdAt', direction: 'asc' } as const;
    const page = { ...boundedRange(range), order, bytes: limits.pageBytes };
    const { items, total } = await pageOf(store, 'outbox', INSTANCE, page);
    const failed = new Map(this.#stuck().flatMap((work) => (work.work === 'outbox' ? [[work.id, work] as const] : [])));
    return { items: items.map((message) => waiting(message, failed.get(message.id))), total };
  }

  /** Background work of this process that fails and is retried, and why; all else goes ahead. Throws as `log`. */
  stuck(caller: Caller): Promise<StuckWork[]> {
    return this.#told(caller, () => this.#stuck());
  }

  /** The slowest units of work of this process in the last half to whole hour, at most 20, slowest first. Throws as `log`. */
  slowUnits(caller: Caller): Promise<SlowUnit[]> {
    return this.#told(caller, () => this.deps.source.slowestUnits?.list() ?? []);
  }

  /**
   * The last lines of the log of this process, newest first; none where it keeps none (`isLogKept`). 100 when the query says no limit.
   * Throws `INPUT_INVALID` for a limit above 1000, and what every method throws, `ENGINE_CLOSED` among them.
   */
  log(caller: Caller, query: LogQuery = {}): Promise<ListPage<LogLine>> {
    return this.#told(caller, () => {
      demandOptions(query, 'operation.log', 'query');
      const { offset, limit } = boundedRange(query);
      const lines = this.deps.recentLog?.find({ requestId: query.requestId, level: query.level }) ?? [];
      return { items: lines.slice(offset, offset + limit), total: lines.length };
    });
  }

  /** Of what this process knows without the store. */
  async #told<T>(caller: Caller, known: () => T): Promise<T> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    return Promise.resolve(known());
  }

  #stuck(): StuckWork[] {
    return this.deps.watched.flatMap((each) => each.stuck());
  }
}

/** Messages are written by this program; those of another version may lack something. */
function waiting({ id, message, createdAt }: OutboxMessage, failure: StuckWork | undefined): WaitingMessage {
  const textAt = (name: string): string => {
    const value = isObject(message) ? message[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return {
    id,
    type: textAt('type'),
    to: textAt('to'),
    policyId: textAt('policyId'),
    startMessageId: textAt('startMessageId'),
    since: createdAt,
    failures: failure?.failures ?? 0,
    retryAt: failure?.retryAt ?? null,
    reason: failure?.reason ?? null,
  };
}

/** JSON has no infinity. */
const finite = (limits: EngineLimits): OperationSummary['limits'] =>
  Object.fromEntries(
    Object.entries(limits).map(([name, limit]: [string, number]) => [name, Number.isFinite(limit) ? limit : null]),
  ) as OperationSummary['limits'];
