/** Operations view of an instance: backlog, failures and configuration, without policy content. */
import type { Caller } from '../access/index.js';
import type { StuckWork, StuckWorkSource } from '../background/index.js';
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
  /** Software version. */
  readonly version: string;
  /**
   * The store's capabilities: whether committed changes survive the process, and whether several processes may share
   * it.
   */
  readonly store: PolicyStore['capabilities'];
  /** Of this process, and of the store that others may share. */
  readonly backlog: Backlog;
  /** By name; `null` for unlimited. */
  readonly limits: Readonly<Record<keyof EngineLimits, number | null>>;
  /** Whether this process keeps recent log lines. */
  readonly isLogKept: boolean;
}

/** An unsent message to another instance, without its content. */
export interface WaitingMessage {
  readonly id: string;
  /** Message type, such as `request` or `completed`. */
  readonly type: string;
  /** The receiving instance. */
  readonly to: string;
  readonly policyId: string;
  /** Its conversation: the `startMessageId` of the request. */
  readonly startMessageId: string;
  /** Waiting since (ISO 8601). */
  readonly since: string;
  /** Consecutive failed attempts, as far as this process knows. */
  readonly failures: number;
  /** ISO 8601; `null` if it has not failed. */
  readonly retryAt: string | null;
  /** The last error, which may contain host names; `null` if it has not failed. */
  readonly reason: string | null;
}

export interface LogQuery extends Range {
  /** Lines about this HTTP request, by the id in its response. */
  readonly requestId?: string | undefined;
  /** The minimum level. Default: `info`. */
  readonly level?: LogLine['level'] | undefined;
}

export interface OperationDeps {
  readonly store: RecordReader & Pick<PolicyStore, 'capabilities'>;
  readonly backlog: BacklogCheck;
  readonly limits: EngineLimits;
  readonly watched: readonly StuckWorkSource[];
  readonly source: TelemetrySource;
  readonly recentLog: LogReader | null;
}

/** Every method throws `PERMISSION_DENIED` (`INSTANCE_OPERATE`), `ENGINE_CLOSED`. */
export class InstanceOperation {
  constructor(
    private readonly gate: Gate,
    private readonly deps: OperationDeps,
  ) {}

  /**
   * The state of this instance. Queries the store at most once a second. Throws `STORE_UNAVAILABLE`, and the errors
   * common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { backlog } = await engine.operation.get(owner);
   */
  async get(caller: Caller): Promise<OperationSummary> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
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
   * Unsent messages to other instances, longest waiting first, 100 by default. Throws `INPUT_INVALID` for a limit above
   * 1000, `STORE_UNAVAILABLE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.operation.outbox(owner);
   */
  async outbox(caller: Caller, range: Range = {}): Promise<ListPage<WaitingMessage>> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    demandOptions(range, 'operation.outbox', 'range');
    const { store, limits } = this.deps;
    const order = { path: 'createdAt', direction: 'asc' } as const;
    const page = { ...boundedRange(range), order, bytes: limits.pageBytes };
    const { items, total } = await pageOf(store, 'outbox', INSTANCE, page);
    const failed = new Map(this.#stuck().flatMap((work) => (work.work === 'outbox' ? [[work.id, work] as const] : [])));
    return { items: items.map((message) => waitingMessage(message, failed.get(message.id))), total };
  }

  /**
   * This process's background work that is failing and being retried, with reasons; other work is not affected. Throws
   * as `log`.
   *
   * @example const stuck = await engine.operation.stuck(owner);
   */
  stuck(caller: Caller): Promise<StuckWork[]> {
    return this.#local(caller, () => this.#stuck());
  }

  /**
   * This process's slowest units of work in the last 30 to 60 minutes, slowest first, at most 20. Throws as `log`.
   *
   * @example const slow = await engine.operation.slowUnits(owner);
   */
  slowUnits(caller: Caller): Promise<SlowUnit[]> {
    return this.#local(caller, () => this.deps.source.slowestUnits?.list() ?? []);
  }

  /**
   * This process's most recent log lines, newest first, 100 by default; empty if it keeps none (`isLogKept`). Throws
   * `INPUT_INVALID` for a limit above 1000, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.operation.log(owner, { limit: 10 });
   */
  log(caller: Caller, query: LogQuery = {}): Promise<ListPage<LogLine>> {
    return this.#local(caller, () => {
      demandOptions(query, 'operation.log', 'query');
      const { offset, limit } = boundedRange(query);
      const lines = this.deps.recentLog?.find({ requestId: query.requestId, level: query.level }) ?? [];
      return { items: lines.slice(offset, offset + limit), total: lines.length };
    });
  }

  /** For information this process has without querying the store. */
  async #local<T>(caller: Caller, answerOf: () => T): Promise<T> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    return Promise.resolve(answerOf());
  }

  #stuck(): StuckWork[] {
    return this.deps.watched.flatMap((each) => each.stuck());
  }
}

/** Messages of another version of this program may lack members. */
function waitingMessage({ id, message, createdAt }: OutboxMessage, failure: StuckWork | undefined): WaitingMessage {
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

/** JSON has no Infinity. */
const finite = (limits: EngineLimits): OperationSummary['limits'] =>
  Object.fromEntries(
    Object.entries(limits).map(([name, limit]: [string, number]) => [name, Number.isFinite(limit) ? limit : null]),
  ) as OperationSummary['limits'];
