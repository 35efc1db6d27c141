/** One block of a policy. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { demandObject } from './api-error.js';
import type { CallArgs, CallOptions, RouteCalls, SendOptions } from './types.js';

/** By tag, or by UUID. */
export type BlockName = string | { readonly uuid: string };

type ReadQuery = NonNullable<CallArgs<'readBlockByTag'>['query']>;
type Input = CallArgs<'sendToBlockByTag'>['body'];
type BlockExplanation = AnswerOf<Contract['explainBlock'], 200>;
type SelectionExplanation = AnswerOf<Contract['explainDocument'], 200>;
type ExplainOptions = CallOptions & {
  /** The user to explain for; only the policy's owner may name others. Default: the caller. */
  readonly as?: string;
};

export class BlockClient {
  readonly #calls: RouteCalls;
  readonly #policyId: string;
  readonly #block: BlockName;

  constructor(calls: RouteCalls, policyId: string, block: BlockName) {
    if (typeof block !== 'string') demandObject(block, 'policy.block', 'block');
    this.#calls = calls;
    this.#policyId = policyId;
    this.#block = block;
  }

  /**
   * Reads what the block shows the caller. The query applies to this answer only: `page`, `itemsPerPage`, `sortField`,
   * `sortDirection`, and filters by their tag. The policy decides the shape of the answer; the type argument states it.
   *
   * @example
   * const { data } = await policy.block('notes').read<{ data: { id: string }[] }>({ page: 0, itemsPerPage: 20 });
   */
  async read<Answer = unknown>(query: ReadQuery = {}, options: CallOptions = {}): Promise<Answer> {
    const policyId = this.#policyId;
    const block = this.#block;
    const { data } =
      typeof block === 'string'
        ? await this.#calls.readBlockByTag({ ...options, policyId, tag: block, query })
        : await this.#calls.readBlock({ ...options, policyId, uuid: block.uuid, query });
    return data as Answer;
  }

  /**
   * Sends data to the block, and resolves with its result after the commit. For a policy of another instance, `timeout`
   * is the time in ms to wait for its answer; without an answer the result is `{messageId, startMessageId, status}`.
   * Retried under one idempotency key if there is no answer, so that it takes effect once.
   *
   * @example
   * const document = { value: 3 };
   * const { id } = await policy.block('form').send<{ id: string }>({ document, ref: null });
   */
  async send<Result = unknown>(
    data: Input,
    options: SendOptions & { readonly timeout?: number } = {},
  ): Promise<Result> {
    demandObject(options, 'block.send', 'options');
    const { timeout, ...rest } = options;
    const policyId = this.#policyId;
    const block = this.#block;
    const sent = { ...rest, policyId, body: data, query: timeout === undefined ? {} : { timeout } };
    const answer =
      typeof block === 'string'
        ? await this.#calls.sendToBlockByTag({ ...sent, tag: block })
        : await this.#calls.sendToBlock({ ...sent, uuid: block.uuid });
    return answer.data as Result;
  }

  /**
   * Explains whether the block is available: each step of the decision, and the error that a read or send would get.
   *
   * @example const { steps } = await policy.block('form').explain({ as: did });
   */
  async explain(explainOptions: ExplainOptions = {}): Promise<BlockExplanation> {
    demandObject(explainOptions, 'block.explain', 'explainOptions');
    const { as, ...options } = explainOptions;
    const query = as === undefined ? {} : { as };
    return (await this.#calls.explainBlock({ ...options, ...(await this.#address(options)), query })).data;
  }

  /**
   * Explains whether the block shows a document: which source selects it, or which condition it fails.
   *
   * @example const { isShown } = await policy.block('notes').explainDocument(documentId, { as: did });
   */
  async explainDocument(documentId: string, explainOptions: ExplainOptions = {}): Promise<SelectionExplanation> {
    demandObject(explainOptions, 'block.explainDocument', 'explainOptions');
    const { as, ...options } = explainOptions;
    const query = as === undefined ? {} : { as };
    const address = await this.#address(options);
    return (await this.#calls.explainDocument({ ...options, ...address, documentId, query })).data;
  }

  async #address(options: CallOptions): Promise<{ policyId: string; uuid: string }> {
    const policyId = this.#policyId;
    const block = this.#block;
    if (typeof block !== 'string') return { policyId, uuid: block.uuid };
    return { policyId, uuid: (await this.#calls.getBlockId({ ...options, policyId, tag: block })).data.id };
  }
}
