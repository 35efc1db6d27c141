/** Sends with an idempotency key: carried out once (Promise 11); repetitions are answered from the receipt. */
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
  /** Retention of a receipt in milliseconds. */
  readonly receiptMs: number;
  /** Number of later units of work in the same policy after which a receipt may be removed. */
  readonly receiptUnits: number;
  /** Maximum length of an answer that is kept, in characters of JSON. */
  readonly receiptCharacters: number;
}

/** One send, as identified by its sender. */
export interface KeyedSend {
  readonly policyId: string;
  readonly did: string;
  /** Chosen by the sender; absent for a send that is carried out every time it arrives. */
  readonly key: string | undefined;
  /** What a repetition must have in common with the first send. */
  readonly request: readonly unknown[];
}

/** Visible ASCII, as in a header. */
const KEY = /^[\x21-\x7e]{1,200}$/;
/** On average, one in this many sends removes expired receipts, at most twice that many. */
const PRUNED_EVERY = 16;
const REMOVED_AT_MOST = 2 * PRUNED_EVERY;
/** Receipts read at once, if they can be removed later without being read again. */
const READ_AHEAD = 4 * REMOVED_AT_MOST;
/** How many revisions a unit's start may be ahead of the last durable one. */
const UNDURABLE_AT_MOST = 256;
const POLICIES_AT_MOST = 1_000;

type ReceiptSummary = Pick<SendReceipt, 'id' | 'expires' | 'revision'>;

/** The oldest receipts of a policy that have not been removed since, and the revision at which they were read. */
interface OldestReceipts {
  readonly at: number;
  /** The history of the store that the revision belongs to. */
  readonly history: string | undefined;
  readonly receipts: readonly ReceiptSummary[];
}

export class IdempotentSends {
  readonly #oldest = lruCache<OldestReceipts>(POLICIES_AT_MOST);

  constructor(private readonly deps: IdempotentSendsDeps) {}

  /** Throws `INPUT_INVALID` for an invalid key. */
  assertKey(key: string | undefined): void {
    if (key === undefined || (typeof key === 'string' && KEY.test(key))) return;
    const reason = 'The idempotency key must be 1 to 200 visible ASCII characters.';
    throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
  }

  /**
   * Runs `send` inside the unit, unless its key has a receipt. The receipt is committed together with the changes of
   * the send. Throws `IDEMPOTENCY_KEY_USED` for a different request under the same key, `ANSWER_NOT_KEPT`, and what
   * `send` throws.
   */
  async once(unit: UnitOfWork, { policyId, did, key, request }: KeyedSend, send: () => Promise<Ran>): Promise<Ran> {
    if (key === undefined) return send();
    const id = hashOf([did, key]);
    const requestHash = hashOf(request);
    const receipt = await unit.get('send-receipt', policyId, id);
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

  /** Chosen at random, so that no sequence of keys can avoid it. */
  async #prune(unit: UnitOfWork, policyId: string): Promise<void> {
    if (!this.deps.ids.uuid().startsWith('0')) return;
    const now = this.deps.clock.now();
    const first = unit.expected(revisionKeys.policy.of(policyId)) - this.deps.limits.receiptUnits;
    const isOld = ({ expires, revision }: ReceiptSummary): boolean => expires <= now || revision < first;
    const toRemove = ({ receipts }: OldestReceipts): ReceiptSummary[] =>
      receipts.filter(isOld).slice(0, REMOVED_AT_MOST);
    const { history } = unit;
    const latest = this.#oldest.get(policyId);
    let oldest = latest?.history === history ? latest : undefined;
    oldest ??= { at: 0, history, receipts: [] };
    let removed = toRemove(oldest);
    // The receipts after these are younger.
    if (removed.length === 0 && oldest.receipts.length > 0) return;
    const { at } = oldest;
    // A later send may have left a new receipt under the same key.
    if (removed.length === 0 || !removed.every(({ id }) => isUnwritten(unit, policyId, id, at))) {
      oldest = await this.#read(unit, policyId);
      removed = toRemove(oldest);
    }
    for (const { id } of removed) unit.delete('send-receipt', policyId, id);
    const rest = new Set(oldest.receipts);
    for (const receipt of removed) rest.delete(receipt);
    this.#oldest.set(policyId, { ...oldest, receipts: [...rest] });
  }

  async #read(unit: UnitOfWork, policyId: string): Promise<OldestReceipts> {
    const at = unit.expected(revisionKeys.policy.of(policyId));
    // No record has this id: the call checks whether the unit can answer at all.
    const canVerify = isUnwritten(unit, policyId, '', at);
    const receipts = await unit.find('send-receipt', policyId, { limit: canVerify ? READ_AHEAD : REMOVED_AT_MOST });
    return {
      at,
      history: unit.history,
      receipts: receipts.map(({ id, expires, revision }) => ({ id, expires, revision })),
    };
  }
}

/**
 * The unit's own revision does not cover undurable writes; that nothing was written since an earlier revision proves it
 * as well.
 */
const isUnwritten = (unit: UnitOfWork, policyId: string, id: string, at: number): boolean =>
  [at, at - UNDURABLE_AT_MOST].some((since) => unit.isUnwritten('send-receipt', policyId, id, since));

function answerOf({ request, tag, answer }: SendReceipt, requestHash: string, policyId: string): Ran {
  if (request !== requestHash) throw new BlockworkError('IDEMPOTENCY_KEY_USED', { facts: { policyId } });
  if (answer === undefined) throw new BlockworkError('ANSWER_NOT_KEPT', { facts: { policyId, tag } });
  return { tag, answer, log: new RunLog() };
}

const hashOf = (value: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
