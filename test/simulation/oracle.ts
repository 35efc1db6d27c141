/**
 * What must be true of one instance, whatever happens: it follows every commit at the moment at which everybody sees it,
 * and compares with it what callers are told, what readers see and what the external ledger carries out.
 */
import type { ChangeSet, RecordKind, RecordKinds } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { DEPOSIT_UNITS, emptyHead, nextHead, PERMIT_UNITS, type Head } from './policies.js';

type Change = ChangeSet['changes'][number];
type Put<Kind extends RecordKind> = Extract<Change, { op: 'put'; kind: Kind }>;

/** The records of an instance at one moment. */
export interface Contents {
  of<Kind extends RecordKind>(kind: Kind, partition: string): readonly RecordKinds[Kind][];
}

/** What a reader may rely on when a read begins. */
export interface ViewStart {
  readonly losses: number;
  readonly acknowledged: number;
}

interface PolicyState {
  head: Head;
  /** The hash of each head, by its count. */
  hashes: number[];
  /** Of the history before the last loss, which late answers may still show. */
  formerHashes: number[];
  /** Ids of documents by the key that they were sent with. */
  readonly keys: Map<string, string>;
  readonly approved: Set<string>;
  readonly deposits: Set<string>;
  minted: bigint;
  readonly balances: Map<string, bigint>;
  readonly ticks: Set<string>;
  /** Ids of the documents of votes, by the vote. */
  readonly votes: Map<string, string>;
  /** The status that a request was resumed with, by the id of its message. */
  readonly answers: Map<string, string>;
  /** Ids of effects in the order of commits. */
  readonly effects: string[];
  /** How many effects from the first on the ledger has carried out. */
  settled: number;
  /** The highest count that a caller was told. */
  acknowledged: number;
}

export class Oracle {
  readonly #policies = new Map<string, PolicyState>();
  readonly #settledIds = new Set<string>();
  /** Policies by the acknowledged keys. */
  readonly #acknowledged = new Map<string, string>();
  readonly #approvals = new Map<string, string>();
  readonly requests = new Map<string, RecordKinds['request']>();
  /** How often commits were lost that the administrator chose to lose. */
  losses = 0;

  constructor(
    readonly instance: string,
    private readonly report: (invariant: string, problem: string) => void,
  ) {}

  /** Follows commits, in their order. */
  applied(changeSets: readonly ChangeSet[]): void {
    for (const { changes } of changeSets) {
      const policies = new Set(changes.map(({ partition }) => partition));
      for (const policyId of policies) {
        const own = changes.filter(({ partition }) => partition === policyId);
        if (policyId === INSTANCE) this.#requests(own);
        else this.#policy(policyId, own);
      }
    }
  }

  /** Begins again with what is there. `mayLose`: what was acknowledged may be gone. */
  rebuild(contents: Contents, policyIds: readonly string[], mayLose: boolean): void {
    if (mayLose) this.losses += 1;
    for (const policyId of policyIds) this.#rebuild(policyId, contents);
    this.requests.clear();
    for (const request of contents.of('request', INSTANCE)) this.requests.set(request.messageId, request);
    for (const [key, policyId] of this.#acknowledged) {
      if (this.state(policyId).keys.has(key)) continue;
      if (!mayLose) this.report('acknowledged is there', `${key} was acknowledged and is gone from ${policyId}`);
      this.#acknowledged.delete(key);
    }
    for (const [key, policyId] of this.#approvals) {
      if (this.state(policyId).approved.has(key)) continue;
      if (!mayLose) this.report('acknowledged is there', `the approval of ${key} was acknowledged and is gone`);
      this.#approvals.delete(key);
    }
  }

  /** A caller was told that the key was carried out as the last one of this head. */
  acknowledge(policyId: string, key: string, told: Head): void {
    const state = this.state(policyId);
    if (!state.keys.has(key)) {
      // Lost between its commit and its answer.
      if (this.losses > 0) return;
      this.report('acknowledged is there', `${key} was acknowledged and is not in ${policyId}`);
      return;
    }
    this.#acknowledged.set(key, policyId);
    if (state.hashes[told.count] === told.hash) state.acknowledged = Math.max(state.acknowledged, told.count);
    else if (this.losses === 0) this.report('a view is a prefix', `${key} was answered with a head that never was`);
  }

  acknowledgeApproval(policyId: string, key: string): void {
    if (this.state(policyId).approved.has(key)) this.#approvals.set(key, policyId);
    else if (this.losses === 0) this.report('acknowledged is there', `the approval of ${key} is not there`);
  }

  viewStart(policyId: string): ViewStart {
    return { losses: this.losses, acknowledged: this.state(policyId).acknowledged };
  }

  /** A reader saw this head, in a read that began then. */
  viewed(policyId: string, view: Head, start: ViewStart, where: string): void {
    const { hashes, formerHashes } = this.state(policyId);
    const isPresent = hashes[view.count] === view.hash;
    const isSameHistory = start.losses === this.losses;
    if (!isPresent && (isSameHistory || formerHashes[view.count] !== view.hash)) {
      this.report('a view is a prefix', `${where} showed ${view.count} of ${policyId} with another history`);
    }
    if (isSameHistory && view.count < start.acknowledged) {
      const told = `${where} showed ${view.count} of ${policyId} after ${start.acknowledged} were acknowledged`;
      this.report('a view has what was acknowledged', told);
    }
  }

  /** The external ledger carries an effect out. */
  carriedOut(policyId: string, id: string): void {
    if (this.#settledIds.has(id)) {
      this.report('effects once', `the ledger has carried out ${id} twice`);
      return;
    }
    this.#settledIds.add(id);
    const state = this.state(policyId);
    const place = state.effects.indexOf(id, state.settled);
    // An effect whose commit is lost may be on its way.
    if (place < 0 && this.losses === 0) this.report('effects are committed', `${id} is settled and not in the book`);
    if (place > state.settled) {
      this.report('effects in order', `${id} is settled before ${String(state.effects[state.settled])}`);
    }
    this.#followSettled(state);
  }

  unsettled(policyId: string): number {
    const { effects, settled } = this.state(policyId);
    return effects.length - settled;
  }

  state(policyId: string): PolicyState {
    let state = this.#policies.get(policyId);
    if (state === undefined) this.#policies.set(policyId, (state = emptyState()));
    return state;
  }

  #policy(policyId: string, changes: readonly Change[]): void {
    const state = this.state(policyId);
    const keys: string[] = [];
    for (const change of changes) {
      if (change.op !== 'put') continue;
      if (change.kind === 'document') keys.push(...this.#document(policyId, state, change));
      else if (change.kind === 'ledger-effect') this.#effect(state, change);
      else if (change.kind === 'journal') this.#tick(policyId, state, change.value);
    }
    this.#head(policyId, state, keys, changes);
    this.#balances(policyId, state, changes);
  }

  /** The key that the document was newly sent with. */
  #document(policyId: string, state: PolicyState, { value }: Put<'document'>): string[] {
    const { type, id, option } = value;
    if (type === 'vote') this.#vote(state, value);
    if (type === 'answer') this.#answer(state, value);
    if (type !== 'deposit' && type !== 'application') return [];
    const key = String((value.document as { key?: unknown }).key);
    if (option['status'] === 'Approved') state.approved.add(key);
    const before = state.keys.get(key);
    if (before === id) return [];
    if (before !== undefined) this.report('nothing twice', `${key} is in ${policyId} twice`);
    state.keys.set(key, id);
    if (type === 'deposit') state.deposits.add(key);
    return [key];
  }

  #vote({ votes }: PolicyState, { id, document }: RecordKinds['document']): void {
    const { vote } = document as { vote: string };
    if (votes.has(vote)) this.report('approvals once', `vote ${vote} was counted twice`);
    votes.set(vote, id);
  }

  #answer({ answers }: PolicyState, { document }: RecordKinds['document']): void {
    const { messageId, status } = document as { messageId: string; status: string };
    if (answers.has(messageId)) this.report('approvals once', `request ${messageId} was resumed twice`);
    answers.set(messageId, status);
  }

  #effect(state: PolicyState, { value }: Put<'ledger-effect'>): void {
    const { type, accountId = '', units = '0', id } = value;
    if (type === 'mint') {
      state.minted += BigInt(units);
      state.balances.set(accountId, (state.balances.get(accountId) ?? 0n) + BigInt(units));
    }
    state.effects.push(id);
    this.#followSettled(state);
  }

  #tick(policyId: string, { ticks }: PolicyState, { cause }: RecordKinds['journal']): void {
    if (cause.type !== 'tick') return;
    if (ticks.has(cause.due)) this.report('timers once', `${policyId} ran its tick of ${cause.due} twice`);
    ticks.add(cause.due);
  }

  #head(policyId: string, state: PolicyState, keys: readonly string[], changes: readonly Change[]): void {
    const entry = changes.findLast(
      (change): change is Put<'block-entry'> => change.op === 'put' && change.kind === 'block-entry',
    );
    const shown = entry?.value.value as Head | undefined;
    const expected = keys.reduce(nextHead, state.head);
    if (shown === undefined ? keys.length > 0 : shown.count !== expected.count || shown.hash !== expected.hash) {
      const was = `${policyId} had ${state.head.count} sends and now has ${String(shown?.count)}`;
      this.report('units see those before them', `${was}, after ${keys.join() || 'none'} was carried out`);
    }
    for (const key of keys) {
      state.head = nextHead(state.head, key);
      state.hashes[state.head.count] = state.head.hash;
    }
  }

  #balances(policyId: string, state: PolicyState, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.op !== 'put' || change.kind !== 'ledger-relation') continue;
      const { accountId, balance } = change.value;
      const minted = state.balances.get(accountId) ?? 0n;
      if (BigInt(balance) === minted) continue;
      this.report(
        'balance is the sum of mints',
        `${accountId} has ${balance} in ${policyId}, and ${minted} were minted`,
      );
    }
    const owed = BigInt(state.deposits.size) * DEPOSIT_UNITS + BigInt(state.approved.size) * PERMIT_UNITS;
    if (owed !== state.minted) {
      this.report('minted once for each', `${policyId} has minted ${state.minted}, and owes ${owed}`);
    }
  }

  #requests(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind !== 'request') continue;
      if (change.op === 'delete') {
        this.requests.delete(change.id);
        continue;
      }
      const { value } = change;
      const before = this.requests.get(value.messageId)?.status;
      if (before !== undefined && before !== 'NEW' && before !== value.status) {
        this.report('requests end once', `${value.messageId} was ${before} and is now ${value.status}`);
      }
      this.requests.set(value.messageId, value);
    }
  }

  #followSettled(state: PolicyState): void {
    while (this.#settledIds.has(state.effects[state.settled] ?? '')) state.settled += 1;
  }

  #rebuild(policyId: string, contents: Contents): void {
    const { hashes, acknowledged } = this.state(policyId);
    const state = emptyState();
    this.#policies.set(policyId, state);
    for (const value of contents.of('document', policyId)) {
      const keys = this.#document(policyId, state, { op: 'put', kind: 'document', partition: policyId, value });
      for (const key of keys) {
        state.head = nextHead(state.head, key);
        state.hashes[state.head.count] = state.head.hash;
      }
    }
    for (const value of contents.of('ledger-effect', policyId)) {
      this.#effect(state, { op: 'put', kind: 'ledger-effect', partition: policyId, value });
    }
    for (const entry of contents.of('journal', policyId)) this.#tick(policyId, state, entry);
    state.formerHashes = hashes;
    state.acknowledged = Math.min(acknowledged, state.head.count);
    const entry = contents.of('block-entry', policyId)[0];
    if (((entry?.value as unknown as Head | undefined)?.count ?? 0) !== state.head.count) {
      this.report('nothing twice', `${policyId} has ${state.head.count} documents and another head`);
    }
    this.#balances(
      policyId,
      state,
      contents
        .of('ledger-relation', policyId)
        .map((value) => ({ op: 'put', kind: 'ledger-relation', partition: policyId, value })),
    );
  }
}

const emptyState = (): PolicyState => ({
  head: emptyHead,
  hashes: [emptyHead.hash],
  formerHashes: [],
  keys: new Map(),
  approved: new Set(),
  deposits: new Set(),
  minted: 0n,
  balances: new Map(),
  ticks: new Set(),
  votes: new Map(),
  answers: new Map(),
  effects: [],
  settled: 0,
  acknowledged: 0,
});
