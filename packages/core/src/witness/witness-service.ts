/** Sends the checkpoints of published policies' logs to the ledger, and tells when a log is not the one that was witnessed. */
import { policyUser } from '../access/index.js';
import { type Found, KeyedService, type Look, type ServiceDeps } from '../background/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE, type StoredPolicy } from '../records/index.js';
import { Run, type RunDeps } from '../runtime/index.js';
import { type CommitListener, type Executor, lanes, revisionKeys } from '../transactions/index.js';
import { checkpointOf, StoredLog } from '../transparency/index.js';
import { contradiction, newestInBook, sizeOf, WITNESS_TOPIC, WITNESS_TYPE } from './newest-witness.js';

export interface WitnessServiceDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly runDeps: RunDeps;
  /** Minutes between two witnesses of one policy. */
  readonly minutes: number;
}

/** Published policies read at once. */
const PAGE = 100;
/** Effects of a policy that may wait for the ledger; beyond, a checkpoint would come too late to witness anything. */
const WAITING = 100;
const task = {
  name: 'witness',
  leases: 'witness',
  work: 'witness',
  failure: { names: 'policyId', message: 'The log of a policy could not be witnessed; it will be tried again.' },
  backoff: { firstMs: 30_000, longestMs: 600_000 },
  keyOf: String,
} as const;

/**
 * At the start, when it is published, and then every so many minutes, each published policy's log is compared with its newest witness, and witnessed anew
 * if it has grown. A log that does not continue its witness gets no other one: the first that shows it stays the newest.
 */
export class WitnessService extends KeyedService<WitnessServiceDeps, string> implements CommitListener {
  /** When each policy was looked at, by this process. */
  readonly #lookedAt = new Map<string, number>();
  readonly #ms: number;

  constructor(deps: WitnessServiceDeps) {
    super(deps, task);
    this.#ms = deps.minutes * 60_000;
  }

  /** A policy that is published has its first witness at once: later backups know the topic. */
  committed({ changes }: ChangeSet): void {
    const isPublished = changes.some((change) => {
      if (change.kind !== 'policy' || change.op !== 'put') return false;
      return change.value.status === 'PUBLISH' && !this.#lookedAt.has(change.value.id);
    });
    if (isPublished) this.worker.wake();
  }

  protected override async find({ now, keys, skipped }: Look): Promise<Found<string>> {
    const due: string[] = [];
    const published = new Set<string>();
    const where = equalTo('status', 'PUBLISH');
    for (let offset = 0; ; offset += PAGE) {
      const page: StoredPolicy[] = await this.deps.store.find('policy', INSTANCE, { where, offset, limit: PAGE });
      for (const { id } of page) {
        published.add(id);
        const isDue = now >= (this.#lookedAt.get(id) ?? -Infinity) + this.#ms;
        if (isDue && !keys.has(id) && !skipped.has(id)) due.push(id);
      }
      if (page.length < PAGE) break;
    }
    for (const id of this.#lookedAt.keys()) if (!published.has(id)) this.#lookedAt.delete(id);
    const times = [...this.#lookedAt.values()].map((at) => at + this.#ms).filter((at) => at > now);
    return { due, next: times.reduce((least, at) => Math.min(least, at), now + this.#ms) };
  }

  /** Another node has them. */
  protected override skip(policyIds: readonly string[]): void {
    for (const id of policyIds) if (!this.claims.isWaiting(id)) this.#lookedAt.set(id, this.deps.clock.now());
  }

  protected override async perform(policyId: string): Promise<void> {
    const { store, runDeps, clock, inspections } = this.deps;
    const { keys, externalLedger } = runDeps;
    const problem = await contradiction({ store, keys, externalLedger }, policyId);
    if (problem !== null) {
      inspections?.publish({ type: 'log.contradicted', policyId, messageId: problem.messageId });
      throw new BlockworkError('LOG_CONTRADICTED', { facts: { policyId, ...problem } });
    }
    await this.#witness(policyId);
    this.#lookedAt.set(policyId, clock.now());
    this.claims.succeeded(policyId);
  }

  async #witness(policyId: string): Promise<void> {
    const { store, runDeps, clock, executor, policies } = this.deps;
    const before = await newestInBook(store, policyId);
    const log = await StoredLog.open(store, policyId);
    // The witness before is an entry itself.
    if (log === undefined || (before !== undefined && log.size <= sizeOf(before) + 1)) return;
    if (before !== undefined && clock.now() < secondsIn(before.id) * 1_000 + this.#ms) return;
    if (await this.#isBehind(policyId, before?.topicId)) return;
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
    for (const { id } of pending) {
      const effect = await store.get('ledger-effect', policyId, id);
      if (topicId !== undefined && effect?.topicId === topicId) return true;
    }
    return false;
  }
}

/** Of a message id, `<seconds>.<nanoseconds>`. */
const secondsIn = (messageId: string): number => Number(messageId.split('.')[0]);
