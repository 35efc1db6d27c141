/** Sends the checkpoints of published policies' logs to the ledger, and tells when a log is not the one that was witnessed. */
import { policyUser } from '../access/index.js';
import { type Found, KeyedService, type Look, type ReadablePolicies, type ServiceDeps } from '../background/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { momentOfMessage } from '../ledger/index.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import { allOf, type Condition, equalTo, INSTANCE, WITNESS_TOPIC } from '../records/index.js';
import { Run, type RunDeps } from '../runtime/index.js';
import { type CommitListener, type Executor, lanes, revisionKeys } from '../transactions/index.js';
import { checkpointOf } from '../transparency/index.js';
import { compareWithWitness, sizeOf, WITNESS_TYPE, type WitnessComparison } from './newest-witness.js';

export interface WitnessServiceDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly readablePolicies: Pick<ReadablePolicies, 'shared'>;
  readonly runDeps: RunDeps;
  /** Minutes between two witnesses of one policy. */
  readonly minutes: number;
}

/** Policies compared and witnessed at once. */
const AT_ONCE = 20;
/** A policy is found so late if the node that published it died at once. */
const SEARCH_MS = 10 * 60_000;
/** Effects of a policy that may wait for the ledger; beyond, a checkpoint would come too late to witness anything. */
const WAITING = 100;
const task = {
  name: 'witness',
  leases: 'witness',
  work: 'witness',
  failure: { names: 'policyId', message: 'The log of a policy could not be witnessed; it will be tried again.' },
  backoff: { firstMs: 30_000, longestMs: 600_000 },
  concurrent: AT_ONCE,
  keyOf: String,
} as const;

/**
 * At the start, when it is published, and then every so many minutes, each published policy's log is compared with its newest witness, and witnessed anew
 * if it has grown. A log that does not continue its witness gets no other one: the first that shows it stays the newest.
 */
export class WitnessService extends KeyedService<WitnessServiceDeps, string> implements CommitListener {
  /** When each published policy is due, in milliseconds since 1970. */
  readonly #due = new Map<string, number>();
  /** When policies that were published elsewhere, or are no longer, are looked for. */
  #searchAt = -Infinity;
  readonly #ms: number;

  constructor(deps: WitnessServiceDeps) {
    super(deps, task);
    this.#ms = deps.minutes * 60_000;
  }

  /** A policy that is published has its first witness at once: later backups know the topic. */
  committed({ changes }: ChangeSet): void {
    let isPublished = false;
    for (const change of changes) {
      if (change.kind !== 'policy') continue;
      const id = change.op === 'put' ? change.value.id : change.id;
      if (change.op !== 'put' || change.value.status !== 'PUBLISH') this.#due.delete(id);
      else if (!this.#due.has(id)) {
        this.#due.set(id, this.deps.clock.now());
        isPublished = true;
      }
    }
    if (isPublished) this.worker.wake();
  }

  protected override async find({ now, keys, skipped }: Look): Promise<Found<string>> {
    if (now >= this.#searchAt) await this.#search(now);
    const due: string[] = [];
    let next = this.#searchAt;
    for (const [id, at] of this.#due) {
      if (at > now) next = Math.min(next, at);
      else if (!keys.has(id) && !skipped.has(id)) due.push(id);
      if (due.length === AT_ONCE) break;
    }
    return { due, next };
  }

  async #search(now: number): Promise<void> {
    // What is published during the read is not in it.
    const before = [...this.#due.keys()];
    const policies = await this.deps.readablePolicies.shared(equalTo('status', 'PUBLISH'));
    const published = new Set(policies.map(({ id }) => id));
    for (const id of published) if (!this.#due.has(id)) this.#due.set(id, now);
    for (const id of before) if (!published.has(id)) this.#due.delete(id);
    this.#searchAt = now + Math.min(this.#ms, SEARCH_MS);
  }

  /** Another node has them. */
  protected override skip(policyIds: readonly string[]): void {
    for (const id of policyIds) if (!this.claims.isWaiting(id)) this.#postponed(id);
  }

  protected override async perform(policyId: string): Promise<void> {
    const { store, runDeps, inspections } = this.deps;
    const { keys, externalLedger } = runDeps;
    const compared = await compareWithWitness({ store, keys, externalLedger }, policyId);
    if (compared.problem !== null) {
      const { code, ...facts } = compared.problem;
      const type = code === 'LOG_KEY_REPLACED' ? 'log.key-replaced' : 'log.contradicted';
      inspections?.publish({ type, policyId, messageId: facts.messageId });
      throw new BlockworkError(code, { facts: { policyId, ...facts } });
    }
    await this.#witness(policyId, compared);
    this.#postponed(policyId);
    this.claims.succeeded(policyId);
  }

  /** Until the next witness may be due. */
  #postponed(policyId: string): void {
    this.#due.set(policyId, this.deps.clock.now() + this.#ms);
  }

  async #witness(policyId: string, { log, newest }: WitnessComparison): Promise<void> {
    const { runDeps, clock, executor, policies } = this.deps;
    // The witness before is an entry itself.
    if (log === undefined || (newest !== undefined && log.size <= sizeOf(newest) + 1)) return;
    if (newest !== undefined && clock.now() < momentOfMessage(newest.id) + this.#ms) return;
    if (await this.#isBehind(policyId, newest?.topicId)) return;
    const { size, note } = await checkpointOf(log, runDeps.keys);
    await executor.run(lanes.policy.of(policyId), [revisionKeys.policy.of(policyId)], async (unit) => {
      const policy = await policies.open(policyId);
      if (policy.record.status !== 'PUBLISH') return;
      const { owner } = policy.record;
      const run = new Run(policy, unit, runDeps, policyId);
      const topic = { name: WITNESS_TOPIC, description: 'Checkpoints of the log', static: true };
      const ledger = run.ledger(policyUser({ did: owner }, owner, []), [topic]);
      await ledger.publish({ topic: WITNESS_TOPIC, type: WITNESS_TYPE, owner, body: { note } });
      run.record({ type: 'witness', size });
    });
  }

  /** Whether the witness before is not on the ledger yet, or so much else that this one would be late. */
  async #isBehind(policyId: string, topicId: string | undefined): Promise<boolean> {
    const { store } = this.deps;
    const where = equalTo('policyId', policyId);
    const pending = await store.find('settlement', INSTANCE, { where, limit: WAITING });
    if (pending.length === WAITING) return true;
    if (topicId === undefined || pending.length === 0) return false;
    const ids: Condition = { path: 'id', op: 'in', value: pending.map(({ id }) => id) };
    return (await store.count('ledger-effect', policyId, allOf(ids, equalTo('topicId', topicId)))) > 0;
  }
}
