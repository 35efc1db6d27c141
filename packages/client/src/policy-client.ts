/** One policy. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { BlockClient } from './block-client.js';
import type { BlockName } from './block-client.js';
import { eventsOf } from './events.js';
import type { EventOptions, PolicyEvent } from './events.js';
import { pagesOf } from './pages.js';
import type { Transport } from './transport.js';
import type { CallArgs, CallOptions, RouteCalls, UntypedArgs } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
type DocumentFilter = Omit<NonNullable<CallArgs<'listDocuments'>['query']>, 'pageIndex' | 'pageSize'>;
type PolicyDocument = Answer<'listDocuments'>[number];
type JournalFilter = Omit<NonNullable<CallArgs<'readJournal'>['query']>, 'pageIndex' | 'pageSize'>;
type JournalEntry = Answer<'readJournal'>[number];

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

  /** The caller's groups in it. */
  async groups(options: CallOptions = {}): Promise<Answer<'listGroups'>> {
    return (await this.#calls.listGroups({ ...options, policyId: this.id })).data;
  }

  /** What the root block shows the caller: where a front end starts. */
  async root<Root = unknown>(options: CallOptions = {}): Promise<Root> {
    return (await this.#calls.readRoot({ ...options, policyId: this.id })).data as Root;
  }

  /**
   * What moves in it: which blocks to read again. Goes on by itself after a loss of the connection; the first event, `open`, comes
   * once.
   */
  events(options: EventOptions = {}): AsyncGenerator<PolicyEvent, void> {
    // The type of arguments knows the parameters of each route; here the route is fixed.
    const args = { policyId: this.id } as UntypedArgs;
    return eventsOf(this.#transport, 'policyEvents', args, options);
  }

  /** Its units of work that fit all of the filters, the oldest first unless the filter says otherwise. For its owner only. */
  journal(filter: JournalFilter = {}, options: CallOptions = {}): AsyncGenerator<JournalEntry, void> {
    return pagesOf((page) => this.#calls.readJournal({ ...options, policyId: this.id, query: { ...filter, ...page } }));
  }

  /** One unit of work, also from the archive. For its owner only. */
  async journalEntry(entryId: string, options: CallOptions = {}): Promise<JournalEntry> {
    return (await this.#calls.readJournalEntry({ ...options, policyId: this.id, entryId })).data;
  }

  /** Its documents that fit all of the filters. For its owner and for auditors, as the two that follow. */
  documents(filter: DocumentFilter = {}, options: CallOptions = {}): AsyncGenerator<PolicyDocument, void> {
    return pagesOf((page) =>
      this.#calls.listDocuments({ ...options, policyId: this.id, query: { ...filter, ...page } }),
    );
  }

  /** One document, with its proof checked, its relations, and what was minted for it. */
  async document(documentId: string, options: CallOptions = {}): Promise<Answer<'getDocument'>> {
    return (await this.#calls.getDocument({ ...options, policyId: this.id, documentId })).data;
  }

  /** Everything that a document builds on. */
  async trustChain(documentId: string, options: CallOptions = {}): Promise<Answer<'getTrustChain'>> {
    return (await this.#calls.getTrustChain({ ...options, policyId: this.id, documentId })).data;
  }

  /** What was minted of a token. */
  async token(tokenId: string, options: CallOptions = {}): Promise<Answer<'getToken'>> {
    return (await this.#calls.getToken({ ...options, policyId: this.id, tokenId })).data;
  }

  /** What it does by itself, the next first. For its owner only. */
  timers(options: CallOptions = {}): AsyncGenerator<Answer<'listTimers'>[number], void> {
    return pagesOf((query) => this.#calls.listTimers({ ...options, policyId: this.id, query }));
  }
}
