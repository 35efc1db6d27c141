/**
 * Carries out one transaction exactly once, on a network that may lose every answer.
 *
 * The id and the bytes are stored before they are first sent. Afterwards only this id is asked for: at the nodes, which
 * remember it for three minutes, then at the mirror. The network carries out an id at most once and only while it is
 * valid, so sending the same bytes again is harmless. A new id is made only when the mirror has passed the end of the
 * validity and shows no success of the old one, whatever a node said of it.
 */
import type { Clock } from '@blockwork/core';
import type { Budget } from '../costs/budget.js';
import { dayOf } from '../costs/costs.js';
import type { Mirror, MirrorTransaction } from '../network/mirror.js';
import type { Nodes, Outcome } from '../network/nodes.js';
import { transactionIdText } from '../wire/ids.js';
import type { Signer } from '../wire/signer.js';
import type { Resumptions } from '../operation/resumptions.js';
import { NotYet } from './not-yet.js';
import type { TransactionIds } from './transaction-ids.js';
import { routes, type Operation } from './operation.js';
import { signTransaction } from './sign-transaction.js';
import type { Mapping, TransactionRow } from './row.js';

/** The network has refused the effect for good; somebody must look. */
class Refused extends Error {
  override readonly name = 'Refused';
}

export interface CarryOutDeps {
  readonly nodes: Nodes;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly ids: TransactionIds;
  readonly operator: { readonly account: string; readonly signer: Signer };
  /** Resolves after that time, or rejects when the adapter closes. */
  readonly pause: (ms: number) => Promise<void>;
  readonly pace: Pace;
  readonly budget: Pick<Budget, 'within'>;
  readonly resumptions: Pick<Resumptions, 'refuse' | 'isRefused'>;
  /** Whether a node last said that the operator cannot pay. */
  readonly payer: { isEmpty: boolean };
  /** When the clock was last found to agree with the mirror. */
  readonly clockCheck: { at: number };
}

export interface Pace {
  /** Milliseconds between two questions. */
  readonly pollMs: number;
  /** How often the nodes, and then the mirror, are asked before the effect is left for later. */
  readonly polls: number;
}

export interface RowStore {
  /** `paid`: what an earlier id of the row has cost, in tinybars. */
  save(row: TransactionRow, mappings?: readonly Mapping[], paid?: bigint): Promise<void>;
}

const VALID_SECONDS = 120;
/** The network may handle what it took at the last moment this much later. */
const MARGIN_SECONDS = 10;
/** Beyond this difference between clock and mirror nothing is signed: one of them is wrong. */
const SKEW_SECONDS = 60;
/** How long a comparison of the two is taken for granted. */
const CLOCK_CHECK_MS = 10_000;
/** How many nodes a transaction is signed for. */
const COPIES = 3;

/** The transaction had no effect, for a reason that passes. */
const passing = new Set([
  'TRANSACTION_EXPIRED',
  'INSUFFICIENT_PAYER_BALANCE',
  'INSUFFICIENT_TX_FEE',
  'THROTTLED_AT_CONSENSUS',
  'BUSY',
  'PLATFORM_NOT_ACTIVE',
]);
/** Answers of a node to a transaction that it has now, or had already. */
const accepted = new Set(['OK', 'DUPLICATE_TRANSACTION']);
/** Another node may take it. */
const elsewhere = new Set(['BUSY', 'PLATFORM_NOT_ACTIVE', 'PLATFORM_TRANSACTION_NOT_CREATED', 'INVALID_NODE_ACCOUNT']);

type Unsigned = Pick<TransactionRow, 'id' | 'effectId' | 'operation' | 'memo' | 'attempts' | 'day' | 'reserved'>;

/**
 * Signs a new row, or one that is certain not to have been carried out, under a new id. Resolves when it is stored. `paid`: what
 * the earlier id has cost, in tinybars. Rejects with `NotYet` if clock or budget do not allow it.
 */
export async function sign(row: Unsigned, store: RowStore, deps: CarryOutDeps, paid = 0n): Promise<TransactionRow> {
  await assertClock(deps);
  const { type } = row.operation;
  const need = {
    what: `a transaction (${type})`,
    most: routes[type].maxFee,
    day: row.day,
    reserved: BigInt(row.reserved ?? '0'),
  };
  return deps.budget.within(need, () => signedRow(row, store, deps, paid));
}

async function signedRow(row: Unsigned, store: RowStore, deps: CarryOutDeps, paid: bigint): Promise<TransactionRow> {
  const { operator, nodes } = deps;
  const id = deps.ids.next();
  const copies = await signTransaction(row.operation, {
    operator,
    nodes: rotated(nodes.accounts, id.nanos).slice(0, COPIES),
    id,
    validSeconds: VALID_SECONDS,
    memo: row.memo,
  });
  const signed: TransactionRow = {
    id: row.id,
    effectId: row.effectId,
    operation: row.operation,
    memo: row.memo,
    state: 'signed',
    attempts: row.attempts + 1,
    transactionId: transactionIdText(id),
    validUntil: id.seconds + VALID_SECONDS,
    copies,
    outcome: null,
    consensusAt: null,
    fee: null,
    day: dayOf(deps.clock.now()),
    reserved: String(routes[row.operation.type].maxFee),
    reason: '',
  };
  await store.save(signed, [], paid);
  return signed;
}

/**
 * Takes a stored row as far as it goes now. Resolves with it when it has reached consensus, and the mirror's entry.
 * Rejects with `NotYet` or `Refused`. `isNew`: it was just signed, so there is nothing to ask for yet.
 */
export async function carryOut(
  row: TransactionRow,
  isNew: boolean,
  store: RowStore,
  deps: CarryOutDeps,
): Promise<{ readonly row: TransactionRow; readonly entry: MirrorTransaction }> {
  if (row.state === 'refused' && (await deps.resumptions.isRefused(row.id))) throw new Refused(row.reason);
  if (row.state === 'planned' || row.state === 'refused') {
    const { outcome, paid } = await lateOutcome(row, deps);
    if (outcome === undefined) return carryOut(await sign(row, store, deps, paid), true, store, deps);
    const late: TransactionRow = { ...row, state: 'consensus', outcome };
    return { row: late, entry: await confirmation(late, deps) };
  }
  if (row.state === 'consensus') return { row, entry: await confirmation(row, deps) };
  const outcome = (isNew ? undefined : await settledOutcome(row, deps)) ?? (await sent(row, store, deps));
  const decided = await decide(row, outcome, store, deps);
  try {
    return { row: decided, entry: await confirmation(decided, deps) };
  } catch (error) {
    // Nodes forget it; the store does not.
    await store.save({ ...decided, reason: reasonOf(error) });
    throw error;
  }
}

/** Sends the row's bytes until a node tells what became of them. */
async function sent(row: TransactionRow, store: RowStore, deps: CarryOutDeps): Promise<Outcome> {
  const { nodes, clock, pause, pace } = deps;
  if (clock.now() / 1000 > row.validUntil) return expired(row, store, deps);
  const { method } = routes[row.operation.type];
  let reason = '';
  for (const { node, bytes } of rotated(row.copies, row.attempts)) {
    let answer = '';
    try {
      answer = await nodes.submit(node, method, Buffer.from(bytes, 'base64'));
    } catch (error) {
      // It may have been accepted. Asking costs nothing, and neither does sending it to the next node.
      reason = reasonOf(error);
    }
    if (accepted.has(answer)) deps.payer.isEmpty = false;
    if (accepted.has(answer) || answer === '') {
      const outcome = await polledOutcome(row, deps, accepted.has(answer));
      if (outcome !== undefined) return outcome;
      if (answer !== '') break;
    } else {
      reason = `a node answers ${answer}`;
      if (answer === 'INSUFFICIENT_PAYER_BALANCE') {
        deps.payer.isEmpty = true;
        reason = `a node answers ${answer}: fill the account ${deps.operator.account}`;
      }
      if (answer === 'TRANSACTION_EXPIRED') return expired(row, store, deps);
      if (!elsewhere.has(answer)) break;
      await pause(pace.pollMs);
    }
  }
  return later(
    { ...row, state: 'submitted' },
    `The transaction ${row.transactionId} is undecided: ${reason || 'no receipt yet'}.`,
    store,
  );
}

/** Asks the nodes. `undefined` if none knows it. */
async function polledOutcome(
  { transactionId }: TransactionRow,
  { nodes, pause, pace }: CarryOutDeps,
  isAccepted: boolean,
): Promise<Outcome | undefined> {
  for (let poll = 0; poll < pace.polls; poll += 1) {
    const outcome = await nodes.outcome(transactionId).catch(() => 'unknown' as const);
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'unknown' && !isAccepted) return undefined;
    await pause(pace.pollMs);
  }
  return undefined;
}

/** What the nodes, or the mirror after they have forgotten, say about a row that may have been sent. */
async function settledOutcome(row: TransactionRow, deps: CarryOutDeps): Promise<Outcome | undefined> {
  const outcome = await polledOutcome(row, deps, false);
  if (outcome !== undefined) return outcome;
  const entry = await deps.mirror.transaction(row.transactionId);
  return entry && outcomeOf(entry);
}

/** Its time is over: either the mirror knows it, or it never happened and never will. */
async function expired(row: TransactionRow, store: RowStore, { mirror }: CarryOutDeps): Promise<Outcome> {
  // In this order: what the mirror does not know now, it did not know at the time that it had reached before.
  const newest = await mirror.newest();
  const entry = await mirror.transaction(row.transactionId);
  if (entry !== undefined) return outcomeOf(entry);
  if (newest <= row.validUntil + MARGIN_SECONDS)
    return later(row, `The mirror has not passed the validity of the transaction ${row.transactionId}.`, store);
  const reason = `The transaction ${row.transactionId} was not carried out in its time; a new one will be.`;
  await store.save({ ...row, state: 'planned', copies: [], reason });
  throw new NotYet(reason);
}

/**
 * Before a new id: a copy of the old one that another node took may still have had its effect, as long as it was valid.
 * Rejects with `NotYet` until the mirror has passed that time.
 */
async function lateOutcome(
  row: TransactionRow,
  { mirror }: CarryOutDeps,
): Promise<{ readonly outcome?: Outcome; readonly paid: bigint }> {
  const newest = await mirror.newest();
  const entry = await mirror.transaction(row.transactionId);
  if (entry?.result === 'SUCCESS') return { outcome: outcomeOf(entry), paid: 0n };
  if (newest <= row.validUntil + MARGIN_SECONDS) throw new NotYet(row.reason);
  return { paid: BigInt(entry?.fee ?? '0') };
}

/** Resolves if the effect is there. */
async function decide(
  row: TransactionRow,
  outcome: Outcome,
  store: RowStore,
  { resumptions }: CarryOutDeps,
): Promise<TransactionRow> {
  const { status } = outcome;
  if (status === 'SUCCESS' || isThereAlready(row.operation, status))
    return { ...row, state: 'consensus', outcome, reason: '' };
  const reason = `The ledger refused the transaction ${row.transactionId} (${row.operation.type}): ${status}.`;
  if (passing.has(status)) {
    await store.save({ ...row, state: 'planned', copies: [], reason });
    throw new NotYet(reason);
  }
  await resumptions.refuse(row.id);
  await store.save({ ...row, state: 'refused', copies: [], outcome, reason });
  throw new Refused(reason);
}

/** The state that the transaction was to make exists; nothing was doubled. */
const isThereAlready = ({ type }: Operation, status: string): boolean =>
  (type === 'associate' && status === 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT') ||
  (type === 'dissociate' && status === 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');

/** The mirror's entry. It must say the same as the node. */
async function confirmation(row: TransactionRow, { mirror, pause, pace }: CarryOutDeps): Promise<MirrorTransaction> {
  for (let poll = 0; poll < pace.polls; poll += 1) {
    const entry = await mirror.transaction(row.transactionId);
    if (entry !== undefined) {
      const { status, entity } = row.outcome ?? { status: '' };
      if (entry.result === status && (entity === undefined || entry.entity === entity)) return entry;
      throw new NotYet(
        `The mirror says ${entry.result} of the transaction ${row.transactionId}, a node said ${status}: one of them is wrong.`,
      );
    }
    await pause(pace.pollMs);
  }
  throw new NotYet(`The transaction ${row.transactionId} has reached consensus; the mirror does not show it yet.`);
}

async function later(row: TransactionRow, reason: string, store: RowStore): Promise<never> {
  await store.save({ ...row, reason });
  throw new NotYet(reason);
}

/** A transaction's time is taken from the clock, and its end is judged by the mirror: they must agree. */
async function assertClock({ mirror, clock, clockCheck }: CarryOutDeps): Promise<void> {
  const age = clock.now() - clockCheck.at;
  if (age >= 0 && age < CLOCK_CHECK_MS) return;
  const difference = Math.round(clock.now() / 1000 - (await mirror.newest()));
  if (Math.abs(difference) <= SKEW_SECONDS) {
    clockCheck.at = clock.now();
    return;
  }
  throw new NotYet(
    `The clock and the mirror differ by ${String(difference)} seconds, more than ${String(SKEW_SECONDS)}: nothing is signed until they agree.`,
  );
}

const outcomeOf = ({ result, entity, serials }: MirrorTransaction): Outcome => ({
  status: result,
  ...(entity !== null && { entity }),
  serials,
});

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % Math.max(list.length, 1);
  return [...list.slice(at), ...list.slice(0, at)];
}
