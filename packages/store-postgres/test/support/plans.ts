/** Records the query plans of the store's statements, both for given values and generic. */
import { Client, escapeLiteral } from 'pg';
import type { Run } from '../../src/connection/connections.js';
import type { Statement } from '../../src/connection/statement.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface Plan {
  readonly text: string;
  /** Tables that are scanned sequentially. */
  readonly scanned: readonly string[];
  readonly indexes: readonly string[];
  /** Indexes that are scanned in full. */
  readonly walked: readonly string[];
  readonly sorts: boolean;
  /** Blocks of 8 KiB that were read; 0 if the statement was not run. */
  readonly blocks: number;
}

/** Tables that always have few blocks, for which a sequential scan is the cheapest. */
const small = ['lane', 'tally', 'schema_version', 'history'];

export class Explainer {
  readonly plans: Plan[] = [];
  readonly #client: Client;
  #prepared = 0;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** `session`: statements to run first. */
  static async connect(address: string, session = ''): Promise<Explainer> {
    const client = new Client(address);
    await client.connect();
    await client.query(session);
    return new Explainer(client);
  }

  /** Runs a read like the store, and records its plans. */
  readonly run: Run = async <R extends object>(statement: Statement): Promise<R[]> => {
    await this.explain(statement, true);
    const { rows } = await this.#client.query<R>(statement.text, [...statement.values]);
    return rows;
  };

  async explain({ text, values }: Statement, isRead: boolean): Promise<void> {
    const options = isRead ? 'analyze, buffers, format json' : 'format json';
    const { rows } = await this.#client.query(`explain (${options}) ${text}`, [...values]);
    this.plans.push(planOf(text, rows));
    const name = `explained_${(this.#prepared += 1)}`;
    await this.#client.query(`prepare ${name} as ${text}`);
    await this.#client.query('set plan_cache_mode = force_generic_plan');
    const parameters = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const generic = await this.#client.query(`explain (format json) execute ${name}${parameters}`);
    await this.#client.query('reset plan_cache_mode');
    this.plans.push(planOf(text, generic.rows));
  }

  /** The plans since the last call. */
  take(): Plan[] {
    return this.plans.splice(0);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

function planOf(text: string, rows: unknown[]): Plan {
  const [whole] = (rows[0] as { 'QUERY PLAN': { Plan: PlanNode & Record<string, unknown> }[] })['QUERY PLAN'];
  const nodes = whole === undefined ? [] : nodesOf(whole.Plan);
  const count = (name: string): number => Number(whole?.Plan[name] ?? 0);
  return {
    text,
    scanned: nodes
      .filter((node) => node['Node Type'].endsWith('Seq Scan') && !small.includes(node['Relation Name'] ?? ''))
      .map((node) => node['Relation Name'] ?? ''),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    walked: nodes.flatMap((node) => (node['Index Cond'] === undefined ? (node['Index Name'] ?? []) : [])),
    sorts: nodes.some((node) => node['Node Type'].endsWith('Sort')),
    blocks: count('Shared Hit Blocks') + count('Shared Read Blocks'),
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function literal(value: unknown): string {
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value));
}
