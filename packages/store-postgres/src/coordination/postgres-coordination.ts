/**
 * Coordination through the database. Every statement is idempotent, so it can be retried when its answer was lost. Times are
 * those of the database clock.
 */
import type { Clock, Coordination, LeaseAnswer, NodeFacts, NodeStatus, RetryState } from '@blockwork/core/adapter';
import { nameOf } from '../codec/name.js';
import type { Connections } from '../connection/connections.js';
import type { NodeNotifier } from '../notifier/node-notifier.js';
import type { Tables } from '../schema/tables.js';

export interface CoordinationDeps {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly notifier: NodeNotifier;
  readonly clock: Clock;
  readonly assertOpen: () => void;
}

interface NodeRow {
  readonly facts: string;
  readonly since: string;
  readonly alive_until: string;
  readonly leases: string;
}

interface LeaseRow {
  readonly name: string;
  readonly failures: number;
  readonly state: 'taken' | 'postponed' | 'held';
  readonly due: string | null;
}

/** Every hour, rows unused for a day are removed. */
const PURGE_MS = 3_600_000;
const NOW = 'clock_timestamp()';
const milliseconds = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

export class PostgresCoordination implements Coordination {
  readonly notifier: NodeNotifier;
  readonly #deps: CoordinationDeps;
  #purgeAt = -Infinity;

  constructor(deps: CoordinationDeps) {
    this.#deps = deps;
    this.notifier = deps.notifier;
  }

  async renew(node: NodeFacts, ms: number): Promise<number> {
    const { tables, clock } = this.#deps;
    if (clock.now() >= this.#purgeAt) await this.#purge();
    const text = `insert into ${tables.node} (id, facts, since, alive_until)
 values ($1, $2, ${NOW}, ${NOW} + $3::integer * interval '1 millisecond')
 on conflict (id) do update set facts = excluded.facts, alive_until = excluded.alive_until
 returning ${milliseconds(`alive_until - $3::integer * interval '1 millisecond'`)} as now`;
    const [row] = await this.#run<{ now: string }>(text, [nameOf(node.id), JSON.stringify(node), ms]);
    return Number(row?.now);
  }

  async leave(nodeId: string): Promise<void> {
    const { lease, node } = this.#deps.tables;
    await this.#run(`delete from ${lease} where holder = $1`, [nameOf(nodeId)]);
    await this.#run(`delete from ${node} where id = $1`, [nameOf(nodeId)]);
  }

  async nodes(): Promise<NodeStatus[]> {
    const { lease, node } = this.#deps.tables;
    const text = `select n.facts, ${milliseconds('n.since')} as since, ${milliseconds('n.alive_until')} as alive_until,
 (select count(*) from ${lease} l where l.holder = n.id) as leases
 from ${node} n where n.alive_until > ${NOW} order by n.since, n.id`;
    const rows = await this.#run<NodeRow>(text, []);
    return rows.map(({ facts, since, alive_until: aliveUntil, leases }) => ({
      ...(JSON.parse(facts) as NodeFacts),
      since: Number(since),
      aliveUntil: Number(aliveUntil),
      leases: Number(leases),
    }));
  }

  async takeLeases(
    nodeId: string,
    names: readonly string[],
    { evenPostponed = false }: { readonly evenPostponed?: boolean } = {},
  ): Promise<LeaseAnswer> {
    this.#deps.assertOpen();
    const originals = new Map(names.map((name) => [nameOf(name), name]));
    const leaseNames = [...originals.keys()];
    const holder = nameOf(nodeId);
    // Retried together: on a retry, the first finds what the second has created.
    const rows = await this.#deps.connections.readWith(async (run) => {
      const rows = await run<LeaseRow>({ text: this.#takeSql(), values: [holder, leaseNames, evenPostponed] });
      const existing = new Set(rows.map(({ name }) => name));
      const absent = leaseNames.filter((name) => !existing.has(name));
      if (absent.length === 0) return rows;
      return [...rows, ...(await run<LeaseRow>({ text: this.#createSql(), values: [holder, absent] }))];
    });
    const takenLeases = new Map<string, number>();
    const postponed = new Map<string, RetryState>();
    for (const { name, failures, state, due } of rows) {
      if (state === 'taken') takenLeases.set(originals.get(name) ?? '', failures);
      else if (state === 'postponed') postponed.set(originals.get(name) ?? '', { failures, due: Number(due) });
    }
    return { taken: takenLeases, postponed };
  }

  async release(nodeId: string, names: readonly string[]): Promise<void> {
    const text = `delete from ${this.#deps.tables.lease} where name = any($2::text[]) and holder = $1`;
    await this.#run(text, [nameOf(nodeId), names.map(nameOf)]);
  }

  async postpone(nodeId: string, name: string, failures: number, ms: number): Promise<void> {
    const text = `update ${this.#deps.tables.lease}
 set holder = null, failures = $3, due = ${NOW} + $4::double precision * interval '1 millisecond'
 where name = $2 and holder = $1`;
    await this.#run(text, [nameOf(nodeId), nameOf(name), failures, ms]);
  }

  /**
   * Takes free existing leases, and reports all existing ones: waiting nodes poll often, and mostly find that another node holds
   * the lease. Leases being taken concurrently by another node are skipped.
   *
   * Lists are parameters of the type `text[]` here and in `findEach`. CockroachDB supports `= any(...)` and `unnest` of them (its tests
   * `suboperators`, its list of functions), and so does YugabyteDB ("ANY and ALL" and "unnest()" in its reference of YSQL).
   */
  #takeSql(): string {
    const { lease, node } = this.#deps.tables;
    const isAlive = `exists (select 1 from ${node} n where n.id = l.holder and n.alive_until > ${NOW})`;
    const isLater = `holder is null and due > ${NOW}`;
    return `with taken as (update ${lease} as mine set holder = $1 from (
  select l.name from ${lease} l where l.name = any($2::text[])
   and (l.holder = $1 or (l.holder is null and (l.due <= ${NOW} or $3)) or (l.holder is not null and not ${isAlive}))
   order by l.name for update of l skip locked) free
 where mine.name = free.name returning mine.name, mine.failures)
 select name, failures, 'taken' as state, null::bigint as due from taken union all
 select name, failures, case when ${isLater} then 'postponed' else 'held' end, ${milliseconds('due')}
 from ${lease} where name = any($2::text[]) and name not in (select name from taken)`;
  }

  #createSql(): string {
    return `insert into ${this.#deps.tables.lease} (name, holder, failures)
 select a.name, $1, 0 from unnest($2::text[]) as a(name) order by a.name
 on conflict (name) do nothing returning name, failures, 'taken' as state, null::bigint as due`;
  }

  async #purge(): Promise<void> {
    const { lease, node } = this.#deps.tables;
    const aDayAgo = `${NOW} - interval '1 day'`;
    await this.#run(`delete from ${lease} where holder is null and due < ${aDayAgo}`, []);
    await this.#run(`delete from ${lease} where holder in (select id from ${node} where alive_until < ${aDayAgo})`, []);
    await this.#run(`delete from ${node} where alive_until < ${aDayAgo}`, []);
    this.#purgeAt = this.#deps.clock.now() + PURGE_MS;
  }

  #run<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.#deps.assertOpen();
    return this.#deps.connections.read<Row>({ text, values: [...values] });
  }
}
