/** What a policy has recorded: units of work, documents, tokens, timers and webhooks. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { pagesOf } from './pages.js';
import type { CallArgs, CallOptions, RouteCalls } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
type DocumentFilter = Omit<NonNullable<CallArgs<'listDocuments'>['query']>, 'pageIndex' | 'pageSize'>;
type PolicyDocument = Answer<'listDocuments'>[number];
type JournalFilter = Omit<NonNullable<CallArgs<'readJournal'>['query']>, 'pageIndex' | 'pageSize'>;
type JournalEntry = Answer<'readJournal'>[number];
type LedgerFilter = Omit<NonNullable<CallArgs<'listLedger'>['query']>, 'pageIndex' | 'pageSize'>;

/** `since`: the number of entries in a checkpoint that somebody kept; the bundle proves that the log continues it. */
type BundleOptions = CallOptions & { readonly since?: number };

export class PolicyRecords {
  readonly id: string;
  readonly #calls: RouteCalls;

  constructor(calls: RouteCalls, id: string) {
    this.#calls = calls;
    this.id = id;
  }

  /**
   * Its blocks in tree order with their pending work. For its owner only.
   *
   * @example
   * const stalled: string[] = [];
   * for await (const { tag, decisions = 0 } of policy.pendingWork()) if (decisions > 0) stalled.push(tag);
   */
  pendingWork(options: CallOptions = {}): AsyncGenerator<Answer<'listPendingWork'>[number], void> {
    return pagesOf((query) => this.#calls.listPendingWork({ ...options, policyId: this.id, query }));
  }

  /**
   * Its units of work that match all filters, oldest first by default. For its owner only.
   *
   * @example
   * const failures: string[] = [];
   * for await (const { id } of policy.journal({ failed: 'true' })) failures.push(id);
   */
  journal(filter: JournalFilter = {}, options: CallOptions = {}): AsyncGenerator<JournalEntry, void> {
    return pagesOf((page) => this.#calls.readJournal({ ...options, policyId: this.id, query: { ...filter, ...page } }));
  }

  /**
   * One unit of work, including archived ones. For its owner only.
   *
   * @example const { tag, at } = await policy.journalEntry(entryId);
   */
  async journalEntry(entryId: string, options: CallOptions = {}): Promise<JournalEntry> {
    return (await this.#calls.readJournalEntry({ ...options, policyId: this.id, entryId })).data;
  }

  /**
   * Its documents that match all filters. For its owner and for auditors, like the next three methods.
   *
   * @example
   * const owners = new Set<string>();
   * for await (const { owner } of policy.documents({ type: 'note' })) owners.add(owner);
   */
  documents(filter: DocumentFilter = {}, options: CallOptions = {}): AsyncGenerator<PolicyDocument, void> {
    return pagesOf((page) =>
      this.#calls.listDocuments({ ...options, policyId: this.id, query: { ...filter, ...page } }),
    );
  }

  /**
   * One document, with its verified proof, its relations, and the mints it triggered.
   *
   * @example const { document, proof } = await policy.document(documentId);
   */
  async document(documentId: string, options: CallOptions = {}): Promise<Answer<'getDocument'>> {
    return (await this.#calls.getDocument({ ...options, policyId: this.id, documentId })).data;
  }

  /**
   * Everything that a document builds on.
   *
   * @example const chain = await policy.trustChain(documentId);
   */
  async trustChain(documentId: string, options: CallOptions = {}): Promise<Answer<'getTrustChain'>> {
    return (await this.#calls.getTrustChain({ ...options, policyId: this.id, documentId })).data;
  }

  /**
   * The derivation of a calculated document: by which block, from which documents, with which formulas.
   *
   * @example const derivation = await policy.derivation(documentId);
   */
  async derivation(documentId: string, options: CallOptions = {}): Promise<Answer<'getDerivation'>> {
    return (await this.#calls.getDerivation({ ...options, policyId: this.id, documentId })).data;
  }

  /**
   * Everything needed to verify a document without the instance. The document is named by its id or its message.
   *
   * @example await writeFile('certificate.json', JSON.stringify(await policy.documentBundle(documentId)));
   */
  async documentBundle(documentId: string, options: BundleOptions = {}): Promise<Answer<'getDocumentBundle'>> {
    const named = { ...withSince(options), policyId: this.id, documentId };
    return (await this.#calls.getDocumentBundle(named)).data;
  }

  /**
   * Everything needed to verify a mint without the instance. The mint is named by its presentation.
   *
   * @example await writeFile('mint.json', JSON.stringify(await policy.mintBundle(presentationId)));
   */
  async mintBundle(documentId: string, options: BundleOptions = {}): Promise<Answer<'getMintBundle'>> {
    return (await this.#calls.getMintBundle({ ...withSince(options), policyId: this.id, documentId })).data;
  }

  /**
   * A token with its mint totals.
   *
   * @example const { tokenSymbol } = await policy.token(tokenId);
   */
  async token(tokenId: string, options: CallOptions = {}): Promise<Answer<'getToken'>> {
    return (await this.#calls.getToken({ ...options, policyId: this.id, tokenId })).data;
  }

  /**
   * The accounts associated with a token, and their balances. For its owner and for auditors.
   *
   * @example for await (const { accountId, balance } of policy.balances(tokenId)) show(`${accountId}: ${balance}`);
   */
  balances(tokenId: string, options: CallOptions = {}): AsyncGenerator<Answer<'listBalances'>[number], void> {
    return pagesOf((query) => this.#calls.listBalances({ ...options, policyId: this.id, tokenId, query }));
  }

  /**
   * The ledger effects that match all filters. For its owner and for auditors.
   *
   * @example for await (const { at, amount } of policy.ledger({ type: 'mint' })) show(`${at}: ${amount}`);
   */
  ledger(filter: LedgerFilter = {}, options: CallOptions = {}): AsyncGenerator<Answer<'listLedger'>[number], void> {
    return pagesOf((page) => this.#calls.listLedger({ ...options, policyId: this.id, query: { ...filter, ...page } }));
  }

  /**
   * Fires the timer of a block now, in a trial only.
   *
   * @example
   * await policy.runTimer('daily');
   * const report = await policy.block('notes').read();
   */
  async runTimer(tag: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.runTimer({ ...options, policyId: this.id, tag });
  }

  /**
   * Its webhooks. For its owner only, like all webhook methods.
   *
   * @example const stopped = (await policy.webhooks()).filter(({ suspended }) => suspended !== null);
   */
  async webhooks(options: CallOptions = {}): Promise<Answer<'listWebhooks'>> {
    return (await this.#calls.listWebhooks({ ...options, policyId: this.id })).data;
  }

  /**
   * Registers a webhook. The secret in the result is not shown again.
   *
   * @example const { id, secret } = await policy.registerWebhook({ url: 'https://hooks.example.org/in' });
   */
  async registerWebhook(
    webhook: CallArgs<'registerWebhook'>['body'],
    options: CallOptions = {},
  ): Promise<AnswerOf<Contract['registerWebhook'], 201>> {
    return (await this.#calls.registerWebhook({ ...options, policyId: this.id, body: webhook })).data;
  }

  /**
   * Removes a webhook with its dead letters.
   *
   * @example for (const { id } of await policy.webhooks()) await policy.removeWebhook(id);
   */
  async removeWebhook(webhookId: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.removeWebhook({ ...options, policyId: this.id, webhookId });
  }

  /**
   * The dead letters of a webhook.
   *
   * @example for await (const { reason } of policy.deadLetters(webhookId)) show(reason);
   */
  deadLetters(webhookId: string, options: CallOptions = {}): AsyncGenerator<Answer<'listDeadLetters'>[number], void> {
    return pagesOf((query) => this.#calls.listDeadLetters({ ...options, policyId: this.id, webhookId, query }));
  }

  /**
   * Resends the dead letters of a webhook and resumes delivery.
   *
   * @example const { resending } = await policy.resendWebhook(webhookId);
   */
  async resendWebhook(webhookId: string, options: CallOptions = {}): Promise<Answer<'resendWebhook'>> {
    return (await this.#calls.resendWebhook({ ...options, policyId: this.id, webhookId })).data;
  }

  /**
   * Its pending timers, next due first. For its owner only.
   *
   * @example for await (const { tag, due } of policy.timers()) show(`${tag}: ${due}`);
   */
  timers(options: CallOptions = {}): AsyncGenerator<Answer<'listTimers'>[number], void> {
    return pagesOf((query) => this.#calls.listTimers({ ...options, policyId: this.id, query }));
  }
}

/** JavaScript may pass `null`. */
const withSince = (options: BundleOptions | null): CallOptions & { readonly query?: { readonly since: number } } => ({
  ...options,
  ...(options?.since !== undefined && { query: { since: options.since } }),
});
