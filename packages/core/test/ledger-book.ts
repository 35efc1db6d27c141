/** The book of one policy for tests: units of work on a store that outlives whoever works on it. */
import { MemoryStore, type Ledger, type LedgerEffect } from '@blockwork/core';
import type { PolicyStatus, PolicyTopic } from '@blockwork/core/records';
import { SequentialIds, SimulatedClock } from '@blockwork/testing';
import { Gate } from '../src/engine/gate.js';
import { ProgramLedger } from '../src/engine/program/ledger.js';
import { Executor, lanes, revisionKeys } from '../src/transactions/index.js';
import { PolicyLedger, PolicyLedgerWriter } from '../src/context/index.js';
import { journalId } from '../src/context/index.js';
import type { PolicyStore } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';

export const P = 'policy-1';
export const CREDIT = '0.0.5001';
export const DEED = '0.0.5002';
export const ALICE = '0.0.11';
export const BOB = '0.0.12';

export interface BookOptions {
  readonly store?: PolicyStore;
  readonly clock?: SimulatedClock;
  readonly ids?: SequentialIds;
  readonly externalLedger?: Ledger | null;
  readonly status?: PolicyStatus;
  readonly topics?: PolicyTopic[];
  readonly did?: string;
  readonly policyId?: string;
  readonly onCommit?: (changeSet: ChangeSet) => void;
}

/** A fungible token with two decimals, and a non-fungible one. */
export async function storeWithTokens(policyId = P, store: PolicyStore = new MemoryStore()): Promise<PolicyStore> {
  const token = (id: string, tokenName: string, tokenType: string, decimals: string) =>
    ({
      op: 'put',
      kind: 'token',
      partition: policyId,
      value: { id, tokenName, tokenSymbol: tokenName, source: { tokenType, decimals } },
    }) as const;
  const changes = [token(CREDIT, 'Credit', 'fungible', '2'), token(DEED, 'Deed', 'non-fungible', '0')];
  await store.commit({ expect: {}, changes });
  return store;
}

export class TestBook {
  readonly ledger: ProgramLedger;
  readonly reader: PolicyLedger;
  readonly executor: Executor;
  readonly clock: SimulatedClock;
  readonly ids: SequentialIds;

  constructor(
    readonly store: PolicyStore,
    private readonly options: BookOptions = {},
  ) {
    const { policyId = P, onCommit = () => undefined } = options;
    this.ledger = new ProgramLedger(new Gate({ table: {}, operators: new Set() }), store, null);
    this.reader = new PolicyLedger(store, policyId);
    this.executor = new Executor({ store, commits: { committed: onCommit }, limits: { conflictRetries: 3 } });
    this.clock = options.clock ?? new SimulatedClock();
    this.ids = options.ids ?? new SequentialIds();
  }

  /** One unit of work. What throws in it leaves nothing. */
  async unit<T>(work: (ledger: PolicyLedgerWriter) => Promise<T>): Promise<T> {
    const {
      policyId = P,
      externalLedger = null,
      status = 'PUBLISH',
      topics = [],
      did = 'did:example:owner',
    } = this.options;
    const key = revisionKeys.policy.of(policyId);
    const { result } = await this.executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      const effects: LedgerEffect[] = [];
      const unitKey = `${policyId}/${journalId(unit.expected(key))}`;
      const policy = { id: policyId, status, topics, messageId: '1767225600.000000000' };
      const { clock, ids } = this;
      return work(
        new PolicyLedgerWriter(unit, { policy, user: { did }, unitKey, effects, clock, ids, externalLedger }),
      );
    });
    return result;
  }
}

export const openBook = async (options: BookOptions = {}): Promise<TestBook> =>
  new TestBook(options.store ?? (await storeWithTokens(options.policyId)), options);
