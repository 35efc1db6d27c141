/**
 * Routes the sends and external data of a policy to a single node, in order of arrival, so that nodes do not invalidate
 * each other's units of work. This is only an optimization: a send the other node does not answer is executed here,
 * with the same key.
 */
import type { NodeCalls, StoreNode } from '../../background/index.js';
import { errorTable } from '../../error-table.js';
import {
  BlockworkError,
  type ErrorArguments,
  type ErrorCode,
  type ErrorFacts,
  isBlockworkError,
} from '../../errors.js';
import { lruCache } from '../../lru-cache.js';
import type { Clock, Ids } from '../../ports/index.js';
import type { ErrorDetail, Json } from '../../records/index.js';
import { type Executor, LaneOwners, lanes, revisionKeys } from '../../transactions/index.js';
import type { Send, SendExecutor } from './send.js';

export interface ForwardedSendsDeps {
  readonly nodeCalls: NodeCalls | null;
  readonly storeNode: StoreNode | null;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * `isShared`: other nodes than the asking one also send to the policy. `revision`: the policy has at least this
 * revision.
 */
type Reply = { readonly isShared: boolean; readonly revision?: number } & (
  { readonly answer: Json } | { readonly error: Json }
);

/** The last node to send to a policy, and when senders last alternated. */
interface Senders {
  last: string;
  alternatedAt: number;
}

/** Larger sends are executed locally. */
const FORWARDED_CHARACTERS = 256 * 1024;
/** How long a policy counts as shared after two nodes have sent to it. */
const SHARED_MS = 5_000;
const POLICIES_AT_MOST = 1_000;

export class ForwardedSends {
  readonly #deps: ForwardedSendsDeps;
  readonly #execute: SendExecutor;
  /** Policy revisions reported by other nodes. */
  readonly #revisions = lruCache<number>(POLICIES_AT_MOST);
  readonly #owners = new LaneOwners();
  readonly #senders = lruCache<Senders>(POLICIES_AT_MOST);

  constructor(deps: ForwardedSendsDeps, execute: SendExecutor) {
    this.#deps = deps;
    this.#execute = execute;
    deps.nodeCalls?.answerWith((question, from) => this.#answer(question as unknown as Send, from));
  }

  async send(send: Send): Promise<Json> {
    const owner = this.#ownerOf(send.policyId);
    if (owner !== null) return this.#forward(send, owner);
    // The policy may become contended while the send waits.
    const executed = await this.#execute(send, () => this.#ownerOf(send.policyId) !== null);
    if (executed !== null) return executed.answer;
    const newOwner = this.#ownerOf(send.policyId);
    return newOwner === null ? this.#executeHere(send) : this.#forward(send, newOwner);
  }

  async #forward(send: Send, owner: string): Promise<Json> {
    const { nodeCalls, executor, ids } = this.#deps;
    const keyed = { ...send, key: send.key ?? `node-${ids.uuid()}` };
    // A key generated here is new, which saves the other node looking for its receipt.
    const keyedAt = send.key === undefined ? this.#revisions.get(send.policyId) : undefined;
    const question = serialize({ ...keyed, ...(keyedAt !== undefined && { keyedAt }) });
    if (question === null) return this.#executeHere(send);
    const reply = (await nodeCalls?.ask(owner, question)) as Reply | undefined;
    if (reply === undefined) return this.#executeHere(keyed);
    if (reply.revision !== undefined) this.#revisions.set(send.policyId, reply.revision);
    if (reply.isShared) executor.markContended(lanes.policy.of(send.policyId));
    if ('error' in reply) throw fromPortableError(reply.error);
    return reply.answer;
  }

  async #executeHere(send: Send): Promise<Json> {
    const executed = await this.#execute(send);
    if (executed === null) throw new Error('A send that may not leave has left its node.');
    return executed.answer;
  }

  /** The node that currently executes the policy's sends, if it is not this one. */
  #ownerOf(policyId: string): string | null {
    const { nodeCalls, storeNode, executor } = this.#deps;
    if (nodeCalls === null || storeNode === null) return null;
    const lane = lanes.policy.of(policyId);
    const self = storeNode.facts.id;
    this.#isShared(policyId, self);
    if (!executor.isContended(lane)) return null;
    const owner = this.#owners.of(lane, storeNode.sameVersionNodes);
    return owner === self || owner === null || !storeNode.isAlive(owner) ? null : owner;
  }

  async #answer(send: Send, from: string): Promise<string> {
    const isShared = this.#isShared(send.policyId, from);
    // Other nodes' units that are not sends alternate with it.
    if (isShared) this.#deps.executor.markContended(lanes.policy.of(send.policyId));
    const replyFacts = (): Omit<Reply, 'answer' | 'error'> => ({ isShared, ...this.#revisionOf(send.policyId) });
    try {
      const answer = await this.#executeHere(send);
      return JSON.stringify({ ...replyFacts(), answer } satisfies Reply);
    } catch (error) {
      return JSON.stringify({ ...replyFacts(), error: toPortableError(error) } satisfies Reply);
    }
  }

  #revisionOf(policyId: string): Pick<Reply, 'revision'> {
    const revision = this.#deps.executor.lastRevision(revisionKeys.policy.of(policyId));
    return revision === undefined ? {} : { revision };
  }

  /** Whether several nodes send to the policy, given that `sender` does now. */
  #isShared(policyId: string, sender: string): boolean {
    const now = this.#deps.clock.now();
    let senders = this.#senders.get(policyId);
    if (senders === undefined) this.#senders.set(policyId, (senders = { last: sender, alternatedAt: -Infinity }));
    if (senders.last !== sender) {
      senders.last = sender;
      senders.alternatedAt = now;
    }
    return now - senders.alternatedAt < SHARED_MS;
  }
}

/** `null` if the send cannot be forwarded. */
function serialize(send: Send): string | null {
  try {
    const text = JSON.stringify(send);
    return text.length <= FORWARDED_CHARACTERS ? text : null;
  } catch {
    return null;
  }
}

interface PortableError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: ErrorFacts;
  readonly details: readonly ErrorDetail[];
  /** The cause, as text for the log. */
  readonly cause?: string;
}

function toPortableError(error: unknown): Json {
  const known = isBlockworkError(error) ? error : new BlockworkError('INTERNAL', { cause: error });
  const { code, message, facts, details, cause } = known;
  const data: PortableError = {
    code,
    message,
    facts,
    details,
    ...(cause !== undefined && { cause: causeText(cause) }),
  };
  return data as unknown as Json;
}

function fromPortableError(data: Json): BlockworkError {
  const { code, message, facts, details, cause } = data as unknown as PortableError;
  const known = Object.hasOwn(errorTable, code) ? code : 'INTERNAL';
  const options = { facts, details, ...(cause !== undefined && { cause: new Error(cause) }) };
  const error = new BlockworkError(...([known, options] as unknown as ErrorArguments));
  // The message may contain a location, which the facts do not.
  error.message = message;
  return error;
}

const causeText = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : JSON.stringify(cause);
