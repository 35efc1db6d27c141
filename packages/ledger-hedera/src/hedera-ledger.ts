/** The ledger port on Hedera: each effect becomes one transaction or several, each carried out exactly once. */
import type { LedgerIds, LedgerWitnesses, PublishedTool, RenamedTool, WitnessMessage } from '@blockwork/core/adapter';
import type { Ledger, LedgerEffect, LedgerMessage, SettlementFacts } from '@blockwork/core';
import { checkpointIn, textAt } from './forms/message-form.js';
import { Budget } from './costs/budget.js';
import { HederaOperation } from './operation/operation.js';
import { Resumptions } from './operation/resumptions.js';
import { INSTANCE_PARTITION } from './transactions/partition.js';
import { storedId, StoredRows } from './transactions/stored-rows.js';
import { carryOut, sign, type CarryOutDeps } from './transactions/carry-out.js';
import { NotYet } from './transactions/not-yet.js';
import { mappingsOf, nextTransaction } from './transactions/plan.js';
import { registrationOf } from './transactions/plan-registry.js';
import { toolName, toolPublicationOf } from './transactions/plan-tools.js';
import type { EffectFacts, PlanDeps, ToolHere } from './transactions/planned.js';
import type { TransactionRow } from './transactions/row.js';
import { TransactionIds } from './transactions/transaction-ids.js';
import type { History } from './network/history.js';
import type { Mirror } from './network/mirror.js';
import type { Nodes } from './network/nodes.js';
import type { ResolvedOptions } from './options.js';
import { FILE_BYTES } from './reading/gateway-files.js';
import { isToolPublished } from './reading/published-tool.js';

export interface Network {
  readonly mirror: Mirror;
  /** Asked while a send waits. */
  readonly accounts: Pick<Mirror, 'hasAccount'>;
  readonly history: History;
  /** Opened at first use: their addresses may have to be asked for. */
  nodes(): Promise<Nodes>;
  /** Ends what is being asked. */
  close(): Promise<void>;
}

type Facts = SettlementFacts & Pick<EffectFacts, 'tool' | 'toolsHere'>;

const NETWORK_ROW = 'network';
/** Maximum number of accounts that are remembered to exist. */
const KNOWN_ACCOUNTS = 10_000;

export class HederaLedger implements Ledger {
  /** For operators: costs, comparison of the book with the ledger, and going on after a refusal. */
  readonly operation: HederaOperation;
  readonly publishesPolicies = true;
  readonly policyFileBytes: number;
  /** Documents are signed with the ids that the ledger has given. */
  readonly ids: LedgerIds = { idOf: (policyId, of, local) => this.#idOf(policyId, of, local) };
  /** Checkpoints are read from the mirror. */
  readonly witnesses: LedgerWitnesses = { newest: (policyId, topicId) => this.#newestCheckpoint(policyId, topicId) };
  readonly #ids: TransactionIds;
  readonly #pauses = new Set<() => void>();
  readonly #resumptions: Resumptions;
  readonly #budget: Budget;
  readonly #payer = { isEmpty: false };
  readonly #knownAccounts = new Set<string>();
  readonly #clockCheck = { at: -Infinity };
  /** The last effect of the instance that was begun. */
  #shared: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isBound = false;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly network: Network,
  ) {
    const { store, clock, operator, dailyBudget: daily, balanceFloor: floor } = options;
    const { history, mirror } = network;
    // Without a place for files, nobody reads them.
    this.policyFileBytes = options.files === null ? Infinity : FILE_BYTES;
    this.#ids = new TransactionIds(operator, clock, options.ids);
    this.#resumptions = new Resumptions(store);
    const balance = async (): Promise<bigint> => (await history.balance(operator)) ?? 0n;
    this.#budget = new Budget({ store, clock, operator, daily, floor, balance });
    const { network: name, createsAccounts, tokens } = options;
    this.operation = new HederaOperation({
      ...{ store, clock, operator, network: name, createsAccounts, tokens, mirror, history },
      budget: this.#budget,
      resumptions: this.#resumptions,
      payer: this.#payer,
    });
  }

  /**
   * Refuses an account that the ledger does not have: the effect could never be settled. If the mirror does not answer,
   * the policy goes on.
   */
  async check({ accountId, fromAccountId }: LedgerEffect, { trial }: { readonly trial: boolean }): Promise<void> {
    if (trial || this.options.createsAccounts) return;
    for (const account of [accountId, fromAccountId])
      if (account !== undefined && account !== '') await this.#assertAccount(account);
  }

  async settle(effect: LedgerEffect, facts: SettlementFacts): Promise<void> {
    await this.#bind();
    await this.#register(effect);
    const { archive, tools = [] } = facts;
    if (archive === undefined || tools.length === 0) return this.#settle(effect, facts);
    const renamed = await this.#publishTools(effect, tools);
    await this.#settle(effect, { ...facts, toolsHere: renamed, archive: () => archive(renamed) });
  }

  /** Those that are not on this ledger under their ids, once each. Resolves with the ids that they have got. */
  async #publishTools(
    { at, body }: LedgerEffect,
    tools: readonly PublishedTool[],
  ): Promise<(RenamedTool & ToolHere)[]> {
    const { store, files } = this.options;
    // Without a place for files, nobody could read them, nor the policy.
    if (files === null) return [];
    const renamed: (RenamedTool & ToolHere)[] = [];
    for (const tool of tools) {
      if (await isToolPublished(tool, this.network.history)) continue;
      const effect = toolPublicationOf(tool, textAt(body, 'owner'), at);
      const name = toolName(tool);
      const known = () => storedId(store, INSTANCE_PARTITION, 'tool', name);
      if ((await known()) === undefined) await this.#once(effect, { document: null, token: null, tool });
      const publishedAs = await known();
      if (publishedAs === undefined) throw new Error(`The tool in the effect "${effect.id}" has no message.`);
      renamed.push({ messageId: tool.messageId, hash: tool.hash, name, publishedAs });
    }
    return renamed;
  }

  /** Once for each owner, whichever of its policies comes first: one after the other here, and by the revision of the rows elsewhere. */
  async #register(effect: LedgerEffect): Promise<void> {
    const { initializationTopic, network } = this.options;
    const registration = initializationTopic === null ? undefined : registrationOf(effect, network);
    if (registration === undefined) return;
    await this.#once(registration, { document: null, token: null });
  }

  /** What belongs to the instance is carried out one after the other here. */
  async #once(effect: LedgerEffect, facts: Facts): Promise<void> {
    const settled = this.#shared.then(() => this.#settle(effect, facts));
    this.#shared = settled.catch(() => undefined);
    await settled;
  }

  async #settle(effect: LedgerEffect, facts: Facts): Promise<void> {
    const rows = await StoredRows.open(this.options.store, effect);
    const carryOutDeps = await this.#carryOutDeps();
    const planDeps = this.#planDeps(rows);
    const message = effect.type === 'message' ? (effect.body as unknown as LedgerMessage) : null;
    const factsNow = (): EffectFacts => ({ effect, message, ...facts, done: rows.all });
    for (;;) {
      const { row, isNew } = await this.#current(rows, factsNow(), planDeps, carryOutDeps);
      if (row === undefined) return;
      const { row: decided, entry } = await carryOut(row, isNew, rows, carryOutDeps);
      const done = rows.all.filter(({ id }) => id !== row.id);
      const mappings = mappingsOf({ ...factsNow(), done }, decided, entry);
      const { consensusAt, fee } = entry;
      const confirmed = { state: 'confirmed', copies: [], consensusAt, fee, reserved: '0', reason: '' } as const;
      await rows.save({ ...decided, ...confirmed }, mappings);
    }
  }

  /** What the network refused is tried again when the engine next settles it; to be called when the cause is gone. */
  retryRefused(): void {
    this.#resumptions.forget();
  }

  /** Stops waiting, so that effects in progress are settled later. The store stays open. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.network.close();
    for (const end of this.#pauses) end();
    return this.#closing;
  }

  /** Tokens that existed before have their ids from the start. */
  async #idOf(policyId: string, of: 'token' | 'message', local: string): Promise<string | undefined> {
    const { store, tokens } = this.options;
    return (of === 'token' ? tokens[local] : undefined) ?? storedId(store, policyId, of, local);
  }

  async #newestCheckpoint(policyId: string, topicId: string): Promise<WitnessMessage | undefined> {
    const { store, operator } = this.options;
    const topic = await storedId(store, policyId, 'topic', topicId);
    if (topic === undefined) return undefined;
    for (const { payer, content, consensusAt } of await this.network.history.newestMessages(topic)) {
      const note = payer === operator ? checkpointIn(content) : undefined;
      if (note !== undefined) return { messageId: consensusAt, note };
    }
    return undefined;
  }

  async #assertAccount(account: string): Promise<void> {
    if (this.#knownAccounts.has(account)) return;
    if (!/^\d{1,9}\.\d{1,9}\.\d{1,18}$/.test(account))
      throw new Error(`"${account}" is not an account of the ledger, such as 0.0.1234.`);
    const isThere = await this.network.accounts.hasAccount(account).catch(() => null);
    if (isThere === false) throw new Error(`The ledger ${this.options.network} has no account ${account}.`);
    if (isThere === null) return;
    if (this.#knownAccounts.size >= KNOWN_ACCOUNTS) this.#knownAccounts.clear();
    this.#knownAccounts.add(account);
  }

  /** The row that is under way, or else the next one, which is new. */
  async #current(
    rows: StoredRows,
    facts: EffectFacts,
    planDeps: PlanDeps,
    deps: CarryOutDeps,
  ): Promise<{ readonly row: TransactionRow | undefined; readonly isNew: boolean }> {
    const underWay = rows.all.find(({ state }) => state !== 'confirmed');
    if (underWay !== undefined) return { row: underWay, isNew: false };
    const planned = await nextTransaction(facts, planDeps);
    if (planned === undefined) return { row: undefined, isNew: false };
    const id = `transaction/${facts.effect.id}/${String(rows.all.length)}`;
    const row = await sign({ id, effectId: facts.effect.id, attempts: 0, ...planned }, rows, deps);
    return { row, isNew: true };
  }

  /** What was settled on one network must not be taken for settled on another. */
  async #bind(): Promise<void> {
    if (this.#isBound) return;
    const { store, network } = this.options;
    const networkRow = await store.get('ledger-row', INSTANCE_PARTITION, NETWORK_ROW);
    const name = networkRow?.content['name'];
    const bound = typeof name === 'string' ? name : network;
    if (bound !== network)
      throw new Error(
        `The store is bound to the network "${bound}", and is not used with "${network}". Use another store.`,
      );
    if (networkRow === undefined) {
      const value = { id: NETWORK_ROW, effectId: '', state: 'network', content: { name: network } };
      const expect = { 'ledger-network': await store.revision('ledger-network') };
      await store.commit({
        expect,
        changes: [{ op: 'put', kind: 'ledger-row', partition: INSTANCE_PARTITION, value }],
      });
    }
    this.#isBound = true;
  }

  async #carryOutDeps(): Promise<CarryOutDeps> {
    const { clock, operator: account, signer, pace } = this.options;
    return {
      nodes: await this.network.nodes(),
      mirror: this.network.mirror,
      clock,
      ids: this.#ids,
      operator: { account, signer },
      pace,
      budget: this.#budget,
      resumptions: this.#resumptions,
      payer: this.#payer,
      clockCheck: this.#clockCheck,
      pause: (ms) => this.#pause(ms),
    };
  }

  #planDeps(rows: StoredRows): PlanDeps {
    const { operator: operatorAccount, createsAccounts, tokens, files } = this.options;
    const { parentTopic, initializationTopic } = this.options;
    return {
      operatorAccount,
      createsAccounts,
      tokens,
      parentTopic,
      initializationTopic,
      isEmpty: async (topic) => (await this.network.history.newestMessages(topic)).length === 0,
      mirror: this.network.mirror,
      idOf: (of, local) => rows.idOf(of, local),
      storeFile: async (content) => (files === null ? null : files.put(content)),
    };
  }

  async #pause(ms: number): Promise<void> {
    if (this.#closing === undefined)
      await new Promise<void>((resolve) => {
        const end = (): void => {
          cancel();
          this.#pauses.delete(end);
          resolve();
        };
        const cancel = this.options.timers.after(ms, end);
        this.#pauses.add(end);
      });
    if (this.#closing !== undefined) throw new NotYet('The ledger was closed meanwhile.');
  }
}
