/** One policy. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { BlockClient } from './block-client.js';
import type { BlockName } from './block-client.js';
import { pagesOf } from './pages.js';
import type { CallOptions, RouteCalls } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
type JournalEntry = Answer<'readJournal'>[number];

export class PolicyClient {
  readonly id: string;
  readonly #calls: RouteCalls;

  constructor(calls: RouteCalls, id: string) {
    this.#calls = calls;
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

  /** Its units of work, oldest first. For its owner only. */
  journal(options: CallOptions = {}): AsyncGenerator<JournalEntry, void> {
    return pagesOf((query) => this.#calls.readJournal({ ...options, policyId: this.id, query }));
  }
}
