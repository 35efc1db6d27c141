/** One policy. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { BlockClient } from './block-client.js';
import type { BlockName } from './block-client.js';
import { eventsOf } from './events.js';
import type { EventOptions, PolicyEvent } from './events.js';
import { pagesOf } from './pages.js';
import type { Transport } from './transport.js';
import type { CallOptions, RouteCalls, UntypedArgs } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
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

  /** Its units of work, oldest first. For its owner only. */
  journal(options: CallOptions = {}): AsyncGenerator<JournalEntry, void> {
    return pagesOf((query) => this.#calls.readJournal({ ...options, policyId: this.id, query }));
  }
}
