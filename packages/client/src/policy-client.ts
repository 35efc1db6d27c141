/** One policy. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { demandObject } from './api-error.js';
import { BlockClient } from './block-client.js';
import type { BlockName } from './block-client.js';
import { eventsOf } from './events.js';
import type { EventOptions, PolicyEvent } from './events.js';
import { pagesOf } from './pages.js';
import type { Transport } from './transport.js';
import type { CallArgs, CallOptions, RevisionOptions, RouteCalls, SendOptions, UntypedArgs } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
type EditOperation = CallArgs<'checkPolicy'>['body']['operations'][number];
type DocumentFilter = Omit<NonNullable<CallArgs<'listDocuments'>['query']>, 'pageIndex' | 'pageSize'>;
type PolicyDocument = Answer<'listDocuments'>[number];
type JournalFilter = Omit<NonNullable<CallArgs<'readJournal'>['query']>, 'pageIndex' | 'pageSize'>;
type JournalEntry = Answer<'readJournal'>[number];
type LedgerFilter = Omit<NonNullable<CallArgs<'listLedger'>['query']>, 'pageIndex' | 'pageSize'>;

export class PolicyClient {
  readonly id: string;
  readonly #calls: RouteCalls;
  readonly #transport: Transport;

  constructor(calls: RouteCalls, transport: Transport, id: string) {
    this.#calls = calls;
    this.#transport = transport;
    this.id = id;
  }

  /** A block, by its tag or as `{ uuid }`. */
  block(block: BlockName): BlockClient {
    return new BlockClient(this.#calls, this.id, block);
  }

  /** The policy, with the caller's roles and groups in it. */
  async get(options: CallOptions = {}): Promise<Answer<'getPolicy'>> {
    return (await this.#calls.getPolicy({ ...options, policyId: this.id })).data;
  }

  /** The ids of its tokens. */
  async tokens(options: CallOptions = {}): Promise<Answer<'listTokens'>> {
    return (await this.#calls.listTokens({ ...options, policyId: this.id })).data;
  }

  /** The policy as a `.policy` file. For its owner only. */
  async export(options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#calls.exportPolicyFile({ ...options, policyId: this.id })).data;
  }

  /** All its versions, including itself: drafts of the next version first, then highest first. */
  async versions(options: CallOptions = {}): Promise<Answer<'listVersions'>> {
    return (await this.#calls.listVersions({ ...options, policyId: this.id })).data;
  }

  /** Creates a draft of its next version, with the findings of the import. For its owner, once it is published. */
  async nextVersion(options: CallOptions = {}): Promise<AnswerOf<Contract['makeNextVersion'], 201>> {
    return (await this.#calls.makeNextVersion({ ...options, policyId: this.id })).data;
  }

  /** Its blocks as an OpenAPI document: all blocks for its owner, for others those for their roles. */
  async openApi(options: CallOptions = {}): Promise<Answer<'getPolicyOpenApi'>> {
    return (await this.#calls.getPolicyOpenApi({ ...options, policyId: this.id })).data;
  }

  /** The findings for its author. */
  async findings(options: CallOptions = {}): Promise<Answer<'listFindings'>> {
    return (await this.#calls.listFindings({ ...options, policyId: this.id })).data;
  }

  /** Its definition, as a policy file holds it, and the revision for `ifMatch`. For its owner only, like all edits. */
  async definition(options: CallOptions = {}): Promise<{ definition: Answer<'getDefinition'>; revision: number }> {
    const { data, headers } = await this.#calls.getDefinition({ ...options, policyId: this.id });
    return { definition: data, revision: Number(headers.get('etag')?.replace(/\D+/g, '')) };
  }

  /**
   * Edits the draft: all operations, or none. With `ifMatch`, later edits by others are kept, unless they changed the same.
   * Retried under one idempotency key if there is no answer.
   */
  async edit(
    operations: readonly EditOperation[],
    options: SendOptions & RevisionOptions = {},
  ): Promise<Answer<'editPolicy'>> {
    const body = { operations: [...operations] };
    return (await this.#calls.editPolicy({ ...options, policyId: this.id, body })).data;
  }

  /** Undoes one edit, by its id; later ones are kept. */
  async undo(edit: string, options: SendOptions = {}): Promise<Answer<'editPolicy'>> {
    return (await this.#calls.editPolicy({ ...options, policyId: this.id, body: { undo: edit } })).data;
  }

  /** Its edits, newest first. */
  edits(options: CallOptions = {}): AsyncGenerator<Answer<'listEdits'>[number], void> {
    return pagesOf((query) => this.#calls.listEdits({ ...options, policyId: this.id, query }));
  }

  /** The findings that it would have after these operations. */
  async check(operations: readonly EditOperation[], options: CallOptions = {}): Promise<Answer<'checkPolicy'>> {
    const body = { operations: [...operations] };
    return (await this.#calls.checkPolicy({ ...options, policyId: this.id, body })).data;
  }

  /** Replaces the draft's `.policy` file and keeps its data. For its owner only, like all changes. */
  async replace(file: Uint8Array, options: CallOptions = {}): Promise<Answer<'replacePolicyFile'>> {
    return (await this.#calls.replacePolicyFile({ ...options, policyId: this.id, body: file })).data;
  }

  /** Deletes the draft, and returns the number of deleted records. */
  async delete(options: CallOptions = {}): Promise<Answer<'deletePolicy'>> {
    return (await this.#calls.deletePolicy({ ...options, policyId: this.id })).data;
  }

  /** Draft to trial. If errors prevent it, the result has `isValid: false`, as with `publish`. */
  async dryRun(options: CallOptions = {}): Promise<Answer<'dryRunPolicy'>> {
    return (await this.#calls.dryRunPolicy({ ...options, policyId: this.id })).data;
  }

  /** Trial to draft; the records of the trial are deleted. */
  async draft(options: CallOptions = {}): Promise<Answer<'draftPolicy'>> {
    return (await this.#calls.draftPolicy({ ...options, policyId: this.id })).data;
  }

  /** Draft or trial to published, with a version above the previous one. */
  async publish(policyVersion: string, options: CallOptions = {}): Promise<Answer<'publishPolicy'>> {
    return (await this.#calls.publishPolicy({ ...options, policyId: this.id, body: { policyVersion } })).data;
  }

  /** Published to discontinued: now, or at an ISO 8601 moment in the future. */
  async discontinue(date?: string, options: CallOptions = {}): Promise<Answer<'discontinuePolicy'>> {
    const body = date === undefined ? {} : { date };
    return (await this.#calls.discontinuePolicy({ ...options, policyId: this.id, body })).data;
  }

  /**
   * Offers it to another instance, once it is published, and returns the request. Retried under one idempotency key if
   * there is no answer, so that it is offered once. For its owner only.
   */
  async offer(
    offer: CallArgs<'offerPolicy'>['body'],
    options: SendOptions = {},
  ): Promise<AnswerOf<Contract['offerPolicy'], 201>> {
    return (await this.#calls.offerPolicy({ ...options, policyId: this.id, body: offer })).data;
  }

  /** The navigation steps for the caller's role. */
  async navigation(options: CallOptions = {}): Promise<Answer<'getNavigation'>> {
    return (await this.#calls.getNavigation({ ...options, policyId: this.id })).data;
  }

  /** Activates one of the caller's groups, or none; `false` if the policy has no groups. */
  async switchGroup(uuid: string | null, options: CallOptions = {}): Promise<boolean> {
    return (await this.#calls.switchGroup({ ...options, policyId: this.id, body: { uuid } })).data;
  }

  /** Its schemas and those of its tools, without their fields. */
  async schemas(options: CallOptions = {}): Promise<Answer<'listSchemas'>> {
    return (await this.#calls.listSchemas({ ...options, policyId: this.id })).data;
  }

  /** One schema with its fields. */
  async schema(iri: string, options: CallOptions = {}): Promise<Answer<'getSchema'>> {
    return (await this.#calls.getSchema({ ...options, policyId: this.id, iri })).data;
  }

  /** Compares it semantically with another policy. For the owner of both. */
  async changes(since: string, options: CallOptions = {}): Promise<Answer<'listChanges'>> {
    return (await this.#calls.listChanges({ ...options, policyId: this.id, query: { since } })).data;
  }

  /** The caller's groups in it. */
  async groups(options: CallOptions = {}): Promise<Answer<'listGroups'>> {
    return (await this.#calls.listGroups({ ...options, policyId: this.id })).data;
  }

  /** Reads the root block, the entry point of a front end. */
  async root<Root = unknown>(options: CallOptions = {}): Promise<Root> {
    return (await this.#calls.readRoot({ ...options, policyId: this.id })).data as Root;
  }

  /**
   * Live events: which blocks to read again. Reconnects automatically; the first event, `open`, comes once.
   */
  events(options: EventOptions = {}): AsyncGenerator<PolicyEvent, void> {
    demandObject(options, 'policy.events', 'options');
    // The type of arguments knows the parameters of each route; here the route is fixed.
    const args = { policyId: this.id } as UntypedArgs;
    return eventsOf(this.#transport, 'policyEvents', args, options);
  }

  /** Its blocks in tree order with their pending work. For its owner only. */
  waiting(options: CallOptions = {}): AsyncGenerator<Answer<'listWaiting'>[number], void> {
    return pagesOf((query) => this.#calls.listWaiting({ ...options, policyId: this.id, query }));
  }

  /** Its units of work that match all filters, oldest first by default. For its owner only. */
  journal(filter: JournalFilter = {}, options: CallOptions = {}): AsyncGenerator<JournalEntry, void> {
    return pagesOf((page) => this.#calls.readJournal({ ...options, policyId: this.id, query: { ...filter, ...page } }));
  }

  /** One unit of work, including archived ones. For its owner only. */
  async journalEntry(entryId: string, options: CallOptions = {}): Promise<JournalEntry> {
    return (await this.#calls.readJournalEntry({ ...options, policyId: this.id, entryId })).data;
  }

  /** Its documents that match all filters. For its owner and for auditors, like the next three methods. */
  documents(filter: DocumentFilter = {}, options: CallOptions = {}): AsyncGenerator<PolicyDocument, void> {
    return pagesOf((page) =>
      this.#calls.listDocuments({ ...options, policyId: this.id, query: { ...filter, ...page } }),
    );
  }

  /** One document, with its verified proof, its relations, and the mints it triggered. */
  async document(documentId: string, options: CallOptions = {}): Promise<Answer<'getDocument'>> {
    return (await this.#calls.getDocument({ ...options, policyId: this.id, documentId })).data;
  }

  /** Everything that a document builds on. */
  async trustChain(documentId: string, options: CallOptions = {}): Promise<Answer<'getTrustChain'>> {
    return (await this.#calls.getTrustChain({ ...options, policyId: this.id, documentId })).data;
  }

  /** The derivation of a calculated document: by which block, from which documents, with which formulas. */
  async derivation(documentId: string, options: CallOptions = {}): Promise<Answer<'getDerivation'>> {
    return (await this.#calls.getDerivation({ ...options, policyId: this.id, documentId })).data;
  }

  /** Everything needed to verify a document without the instance. The document is named by its id or its message. */
  async documentBundle(documentId: string, options: CallOptions = {}): Promise<Answer<'getDocumentBundle'>> {
    return (await this.#calls.getDocumentBundle({ ...options, policyId: this.id, documentId })).data;
  }

  /** Everything needed to verify a mint without the instance. The mint is named by its presentation. */
  async mintBundle(documentId: string, options: CallOptions = {}): Promise<Answer<'getMintBundle'>> {
    return (await this.#calls.getMintBundle({ ...options, policyId: this.id, documentId })).data;
  }

  /** A token with its mint totals. */
  async token(tokenId: string, options: CallOptions = {}): Promise<Answer<'getToken'>> {
    return (await this.#calls.getToken({ ...options, policyId: this.id, tokenId })).data;
  }

  /** The accounts associated with a token, and their balances. For its owner and for auditors. */
  balances(tokenId: string, options: CallOptions = {}): AsyncGenerator<Answer<'listBalances'>[number], void> {
    return pagesOf((query) => this.#calls.listBalances({ ...options, policyId: this.id, tokenId, query }));
  }

  /** The ledger effects that match all filters. For its owner and for auditors. */
  ledger(filter: LedgerFilter = {}, options: CallOptions = {}): AsyncGenerator<Answer<'listLedger'>[number], void> {
    return pagesOf((page) => this.#calls.listLedger({ ...options, policyId: this.id, query: { ...filter, ...page } }));
  }

  /** Fires the timer of a block now, in a trial only. */
  async runTimer(tag: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.runTimer({ ...options, policyId: this.id, tag });
  }

  /** Its webhooks. For its owner only, like all webhook methods. */
  async webhooks(options: CallOptions = {}): Promise<Answer<'listWebhooks'>> {
    return (await this.#calls.listWebhooks({ ...options, policyId: this.id })).data;
  }

  /** Registers a webhook. The secret in the result is not shown again. */
  async registerWebhook(
    webhook: CallArgs<'registerWebhook'>['body'],
    options: CallOptions = {},
  ): Promise<AnswerOf<Contract['registerWebhook'], 201>> {
    return (await this.#calls.registerWebhook({ ...options, policyId: this.id, body: webhook })).data;
  }

  async removeWebhook(webhookId: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.removeWebhook({ ...options, policyId: this.id, webhookId });
  }

  /** The dead letters of a webhook. */
  deadLetters(webhookId: string, options: CallOptions = {}): AsyncGenerator<Answer<'listDeadLetters'>[number], void> {
    return pagesOf((query) => this.#calls.listDeadLetters({ ...options, policyId: this.id, webhookId, query }));
  }

  /** Resends the dead letters of a webhook and resumes delivery. */
  async resendWebhook(webhookId: string, options: CallOptions = {}): Promise<Answer<'resendWebhook'>> {
    return (await this.#calls.resendWebhook({ ...options, policyId: this.id, webhookId })).data;
  }

  /** Its pending timers, next due first. For its owner only. */
  timers(options: CallOptions = {}): AsyncGenerator<Answer<'listTimers'>[number], void> {
    return pagesOf((query) => this.#calls.listTimers({ ...options, policyId: this.id, query }));
  }
}
