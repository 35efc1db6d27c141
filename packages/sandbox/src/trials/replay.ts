/** A recording that is played again in a trial, step by step, until it ends or a step is refused. */
import { isBlockworkError, type Caller, type Json, type PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { filledIn, valueAt, type ScriptStep } from './recorded-script.js';

export type ReplayStatus = 'Running' | 'Stopped' | 'Finished' | 'Error';

/** A grid at the end, as it was recorded and as it is now. */
export interface ReplayCheck {
  readonly tag: string;
  readonly user: string;
  readonly expected: number;
  readonly got: number;
}

export interface ReplayDeps {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  readonly owner: Caller;
  /** Makes a virtual user. */
  readonly newUser: () => Promise<{ readonly did: string; readonly username: string }>;
  readonly accountOf: (did: string) => Promise<string | null>;
}

export class Replay {
  status: ReplayStatus = 'Running';
  /** Of the next step. */
  index = 0;
  error: string | null = null;
  readonly checks: ReplayCheck[] = [];
  readonly #callers = new Map<string, Caller>();
  readonly #saved: Record<string, unknown> = {};

  constructor(
    readonly uuid: string,
    readonly script: readonly ScriptStep[],
    private readonly deps: ReplayDeps,
  ) {}

  /** From where it stopped. Rejects only for faults. */
  async run(): Promise<void> {
    [this.status, this.error] = ['Running', null];
    for (let step = this.script[this.index]; step !== undefined; step = this.script[this.index]) {
      try {
        await this.#carryOut(step);
      } catch (error) {
        if (!isBlockworkError(error) || error.status >= 500) throw error;
        [this.status, this.error] = ['Error', `Step ${String(step.n)}, ${step.tag}: ${error.message}`];
        return;
      }
      this.index += 1;
    }
    this.status = 'Finished';
  }

  async #carryOut({ as, method, tag, body = null, save, expect }: ScriptStep): Promise<void> {
    const { engine, policyId } = this.deps;
    if (as === 'system') {
      if (method === 'TICK') await engine.program.schedule.tick(policyId, tag);
      return;
    }
    for (const name of [as, ...usersIn({ body, save })]) await this.#meet(name);
    const caller = this.#callers.get(as) ?? this.deps.owner;
    if (method === 'POST') {
      await engine.sendToBlock(caller, policyId, { tag }, filledIn(body, this.#saved));
      return;
    }
    if (method !== 'GET') return;
    const answer = await engine.readBlock<Json>(caller, policyId, { tag });
    for (const [name, find] of Object.entries(save ?? {}))
      this.#saved[name] = found(answer, filledIn(find, this.#saved));
    const { count: expected } = expect;
    const rows = valueAt(answer, 'data');
    if (typeof expected === 'number')
      this.checks.push({ tag, user: as, expected, got: Array.isArray(rows) ? rows.length : 0 });
  }

  async #meet(name: string): Promise<void> {
    if (this.#callers.has(name)) return;
    const { owner, newUser, accountOf, policyId } = this.deps;
    const caller = name === 'owner' ? owner : { ...owner, ...(await newUser()) };
    this.#callers.set(name, caller);
    const users = isObject(this.#saved['users']) ? this.#saved['users'] : {};
    this.#saved['users'] = { ...users, [name]: { did: caller.did, account: await accountOf(caller.did) } };
    this.#saved['policyId'] = policyId;
  }
}

const usersIn = (value: object): string[] =>
  [...JSON.stringify(value).matchAll(/\$\{users\.([\w-]+)\./g)].map(([, name = '']) => name);

function found(answer: unknown, find: unknown): unknown {
  if (!isObject(find)) return undefined;
  if (typeof find['path'] === 'string') return valueAt(answer, find['path']);
  const rows = valueAt(answer, 'data');
  const where = isObject(find['where']) ? find['where'] : {};
  const matches = (row: unknown): boolean =>
    Object.entries(where).every(([path, value]) => JSON.stringify(valueAt(row, path)) === JSON.stringify(value));
  return Array.isArray(rows) ? (rows as unknown[]).find(matches) : undefined;
}
