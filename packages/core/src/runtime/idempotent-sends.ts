/** Sends with an idempotency key: carried out once, and answered from their receipt when they are repeated. */
import { createHash } from 'node:crypto';
import { RunLog } from '../context/index.js';
import { BlockworkError } from '../errors.js';
import { lruCache } from '../lru-cache.js';
import type { Clock, Ids } from '../ports/index.js';
import type { SendReceipt } from '../records/index.js';
import { revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { Ran } from './workflow.js';

export interface IdempotentSendsDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: ReceiptLimits;
}

export interface ReceiptLimits {
  /** Milliseconds that a receipt is kept. */
  readonly receiptMs: number;
  /** Later units of work in the same policy after which a receipt may be removed. */
  readonly receiptUnits: number;
  /** Characters of an answer that is kept, as JSON. */
  readonly receiptCharacters: number;
}

/** One send, as its sender names it. */
export interface KeyedSend {
  readonly policyId: string;
  readonly did: string;
  /** Chosen by the sender; absent for a send that is carried out each time it arrives. */
  readonly key: string | undefined;
  /** The policy had this revision, or a later one, when the key was made: before that there is no receipt. */
  readonly keyedAt?: number | undefined;
  /** What a repetition has to have in common with the first send. */
  readonly request: readonly unknown[];
}

/** Visible ASCII, as it stands in a header. */
const KEY = /^[\x21-\x7e]{1,200}$/;
/** One in so many sends removes old receipts, and up to that many twice over. */
const PRUNED_EVERY = 16;
const REMOVED_AT_MOST = 2 * PRUNED_EVERY;
/** Read at once where they can be removed later without being read again. */
const READ_AHEAD = 4 * REMOVED_AT_MOST;
/** A unit begins at most so many revisions after the last one that is durable. */
const UNDURABLE_AT_MOST = 256;
const POLICIES_AT_MOST = 1_000;

type Kept = Pick<SendReceipt, 'id' | 'expires' | 'revision'>;

/** The oldest receipts of a policy that have not been removed since, and the revision that they were read at. */
interface Oldest {
  readonly at: number;
  readonly receipts: readonly Kept[];
}

export class IdempotentSends {
  readonly #oldest = lruCache<Oldest>(POLICIES_AT_MOST);

  constructor(private readonly deps: IdempotentSendsDeps) {}

  /** Throws `INPUT_INVALID` for a key that cannot be used. */
  assertKey(key: string | undefined): void {
    if (key === undefined || (typeof key === 'string' && KEY.test(key))) return;
    const reason = 'The idempotency key must be 1 to 200 visible ASCII characters.';
    throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
  }

  /**
   * Runs `send` inside the unit, unless its key has a receipt. The receipt is committed together with what the send
   * changes. Throws `IDEMPOTENCY_KEY_USED` for another request under the same key, `ANSWER_NOT_KEPT`, and what `send` throws.
   */
  async once(
    unit: UnitOfWork,
    { policyId, did, key, keyedAt, request }: KeyedSend,
    send: () => Promise<Ran>,
  ): Promise<Ran> {
    if (key === undefined) return send();
    const id = hashOf([did, key]);
    const requestHash = hashOf(request);
    const isNew = keyedAt !== undefined && unit.isUnwritten('send-receipt', policyId, id, keyedAt);
    const receipt = isNew ? undefined : await unit.get('send-receipt', policyId, id);
    if (receipt !== undefined && receipt.expires > this.deps.clock.now()) {
      return answerOf(receipt, requestHash, policyId);
    }
    const ran = await send();
    const { receiptMs, receiptCharacters } = this.deps.limits;
    unit.put('send-receipt', policyId, {
      id,
      request: requestHash,
      tag: ran.tag,
      ...(JSON.stringify(ran.answer).length <= receiptCharacters && { answer: ran.answer }),
      expires: this.deps.clock.now() + receiptMs,
      revision: unit.expected(revisionKeys.policy.of(policyId)),
    });
    await this.#prune(unit, policyId);
    return ran;
  }

  /** Chosen at random, so that no choice of keys can avoid it. */
  async #prune(unit: UnitOfWork, policyId: string): Promise<void> {
    if (!this.deps.ids.uuid().startsWith('0')) return;
    const now = this.deps.clock.now();
    const first = unit.expected(revisionKeys.policy.of(policyId)) - this.deps.limits.receiptUnits;
    const isOld = ({ expires, revision }: Kept): boolean => expires <= now || revision < first;
    const toRemove = ({ receipts }: Oldest): Kept[] => receipts.filter(isOld).slice(0, REMOVED_AT_MOST);
    let oldest = this.#oldest.get(policyId) ?? { at: 0, receipts: [] };
    let removed = toRemove(oldest);
    // Those that come after them are younger.
    if (removed.length === 0 && oldest.receipts.length > 0) return;
    const { at } = oldest;
    // Under its key, a send may have left a new receipt since.
    if (removed.length === 0 || !removed.every(({ id }) => isUnwritten(unit, policyId, id, at))) {
      oldest = await this.#read(unit, policyId);
      removed = toRemove(oldest);
    }
    for (const { id } of removed) unit.delete('send-receipt', policyId, id);
    const rest = new Set(oldest.receipts);
    for (const receipt of removed) rest.delete(receipt);
    this.#oldest.set(policyId, { at: oldest.at, receipts: [...rest] });
  }

  async #read(unit: UnitOfWork, policyId: string): Promise<Oldest> {
    const at = unit.expected(revisionKeys.policy.of(policyId));
    // Nothing has this id: it asks whether the unit can tell.
    const canTell = isUnwritten(unit, policyId, '', at);
    const receipts = await unit.find('send-receipt', policyId, { limit: canTell ? READ_AHEAD : REMOVED_AT_MOST });
    return { at, receipts: receipts.map(({ id, expires, revision }) => ({ id, expires, revision })) };
  }
}

/** Of what is not durable yet, a unit cannot tell by its revision; that nothing was written since an earlier one says it as well. */
const isUnwritten = (unit: UnitOfWork, policyId: string, id: string, at: number): boolean =>
  [at, at - UNDURABLE_AT_MOST].some((since) => unit.isUnwritten('send-receipt', policyId, id, since));

function answerOf({ request, tag, answer }: SendReceipt, requestHash: string, policyId: string): Ran {
  if (request !== requestHash) throw new BlockworkError('IDEMPOTENCY_KEY_USED', { facts: { policyId } });
  if (answer === undefined) throw new BlockworkError('ANSWER_NOT_KEPT', { facts: { policyId, tag } });
  return { tag, answer, log: new RunLog() };
}

const hashOf = (value: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
