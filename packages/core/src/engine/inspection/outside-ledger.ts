/** The ledger outside, for operators: what waits and why, what it costs, and whether it says the same as the book. */
import type { Caller } from '../../access/index.js';
import type { LedgerOutbox, ReadablePolicies, StuckWork } from '../../background/index.js';
import { BlockworkError, isBlockworkError } from '../../errors.js';
import { logRemedies } from '../../journal-errors.js';
import { momentOfMessage } from '../../ledger/index.js';
import { demandOptions, demandText } from '../../options/index.js';
import type {
  Keys,
  Ledger,
  LedgerComparison,
  LedgerOperation,
  LedgerStatus,
  PublicationSource,
  PublishedFile,
} from '../../ports/index.js';
import { tryParseJson, type PolicyFileLimits } from '../../policy/index.js';
import { equalTo, INSTANCE, isObject, type JsonObject } from '../../records/index.js';
import { shownMessage } from '../../shown-text.js';
import type { RecordReader } from '../../transactions/index.js';
import { StoredLog } from '../../transparency/index.js';
import { boundedRange, type ListPage, type Range } from '../page.js';
import { compareWithWitness, newestInBook, sizeOf, witnessIdOf } from '../../witness/index.js';
import type { Gate } from '../gate.js';
import type { PolicySight } from '../people/policy-sight.js';
import { auditedPolicy } from './own-policy.js';

export interface LedgerState extends LedgerStatus {
  /** Number of effects that are not settled yet. */
  readonly pending: number;
  /** When the oldest of them was committed (ISO 8601); `null` if none is pending. */
  readonly oldest: string | null;
  /** Policies whose next effect this process could not settle, with the reasons; they are retried. */
  readonly stuck: readonly StuckWork[];
}

/** The log of a published policy, and its newest checkpoint that was sent to the ledger. */
export interface WitnessedLog {
  readonly policyId: string;
  /** Number of entries now; 0 without a log. */
  readonly entries: number;
  /** `null` before the first one. */
  readonly witness: {
    /** When it was sent (ISO 8601). */
    readonly at: string;
    /** Number of entries then. */
    readonly entries: number;
    /** The ledger's id of its message; `null` if it is not known, as while it waits. */
    readonly messageId: string | null;
  } | null;
}

/** Logs read at once. */
const READ_AT_ONCE = 20;

export interface OutsideLedgerDeps {
  readonly store: RecordReader;
  readonly readablePolicies: ReadablePolicies;
  readonly sight: PolicySight;
  readonly externalLedger: Ledger | null;
  readonly runDeps: { readonly keys: Keys };
  /** `null` without an external ledger. */
  readonly ledgerOutbox: LedgerOutbox | null;
  /** `null` if nothing can be imported by message. */
  readonly publications: PublicationSource | null;
  readonly policyFileLimits: PolicyFileLimits;
}

/**
 * Every method throws `LEDGER_ABSENT` without a ledger that can be asked for it, `PERMISSION_DENIED`, `ENGINE_CLOSED`. What is said
 * of the instance is for its operators (`INSTANCE_OPERATE`), what is said of a policy for its owner and auditors.
 */
export class OutsideLedger {
  constructor(
    private readonly gate: Gate,
    private readonly deps: OutsideLedgerDeps,
  ) {}

  /**
   * Costs, balance, what waits and why. Answers also while the ledger cannot be reached. Throws `LEDGER_UNREACHABLE` if the
   * adapter fails, `STORE_UNAVAILABLE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { pause, costs } = await engine.ledger.status(owner);
   */
  async status(caller: Caller): Promise<LedgerState> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    const operation = this.#asked();
    const { store, ledgerOutbox } = this.deps;
    const [status, pending, [oldest]] = await Promise.all([
      answered(operation.status()),
      store.count('settlement', INSTANCE),
      store.find('settlement', INSTANCE, { limit: 1 }),
    ]);
    return { ...status, pending, oldest: oldest?.at ?? null, stuck: ledgerOutbox?.stuck() ?? [] };
  }

  /**
   * Compares the book of a policy with the ledger: supplies, balances, serials, the messages with their order, and the log with its
   * newest witness. Effects that wait are left out. Throws `LEDGER_UNREACHABLE`, `KEY_UNAVAILABLE` if there is none that signs the log,
   * `STORE_UNAVAILABLE`, `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { differences } = await engine.ledger.compare(owner, policyId);
   */
  async compare(caller: Caller, policyId: string): Promise<LedgerComparison> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    const operation = this.#asked();
    const { store, runDeps, externalLedger } = this.deps;
    const compared = await answered(operation.compare(policyId));
    const witnessed = compareWithWitness({ store, keys: runDeps.keys, externalLedger }, policyId);
    const { problem } = await answered(witnessed);
    if (problem === null) return compared;
    const { code, messageId: subject, witness, log } = problem;
    const difference = { kind: 'log', subject, book: log, ledger: witness, remedy: logRemedies[code] } as const;
    return { ...compared, differences: [difference, ...compared.differences] };
  }

  /**
   * Tries everything that waits at once, also what the ledger refused, without waiting for the outcome. With `allowance`, an
   * amount as decimal text, so much more may be spent today. Throws `INPUT_INVALID` for an amount that is none,
   * `LEDGER_UNREACHABLE`, `STORE_UNAVAILABLE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.ledger.resume(owner, { allowance: '20' });
   */
  async resume(caller: Caller, options: { readonly allowance?: string | undefined } = {}): Promise<void> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    demandOptions(options, 'ledger.resume', 'options');
    const operation = this.#asked();
    const { allowance = null } = options;
    if (allowance !== null && !(typeof allowance === 'string' && /^\d+(\.\d+)?$/.test(allowance)))
      throw new BlockworkError('INPUT_INVALID', {
        facts: { reason: 'The allowance must be an amount as decimal text, such as "12.5".' },
      });
    await answered(operation.resume({ allowance }));
    this.deps.ledgerOutbox?.retrySoon();
  }

  /**
   * The newest checkpoints on the ledger, of published policies in no particular order, 100 by default. A log that does not continue its
   * own is among the stuck work. Throws `INPUT_INVALID` for a limit above 1000, `STORE_UNAVAILABLE`, and the errors common to all methods,
   * such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.ledger.witnesses(owner);
   */
  async witnesses(caller: Caller, range: Range = {}): Promise<ListPage<WitnessedLog>> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    demandOptions(range, 'ledger.witnesses', 'range');
    const { store, readablePolicies, externalLedger } = this.deps;
    if (externalLedger === null) throw new BlockworkError('LEDGER_ABSENT');
    const where = equalTo('status', 'PUBLISH');
    const { items, total } = await readablePolicies.page({ ...boundedRange(range), where });
    const logs: WitnessedLog[] = [];
    for (let at = 0; at < items.length; at += READ_AT_ONCE) {
      const some = items.slice(at, at + READ_AT_ONCE);
      logs.push(...(await Promise.all(some.map(({ id }) => witnessedLog(store, externalLedger, id)))));
    }
    return { items: logs, total };
  }

  /**
   * A policy that was published on a ledger, by the id of its message, for `importPolicy`. Throws `PUBLICATION_UNKNOWN`,
   * `PUBLICATION_UNREADABLE`, `INPUT_INVALID`, and the errors common to all methods, such as `ENGINE_CLOSED`. Requires
   * `POLICIES_POLICY_CREATE`.
   *
   * @example const { file } = await engine.ledger.published(owner, '1706823227.586179534');
   */
  async published(caller: Caller, messageId: string): Promise<PublishedFile> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandText(messageId, 'ledger.published', 'messageId');
    return this.#read(messageId, 'policy');
  }

  /**
   * A schema that was published on a ledger, by the id of its message, as policies list it: for an operation `addEntry` or `setEntry`
   * of a draft. Throws `PUBLICATION_UNKNOWN`, `PUBLICATION_UNREADABLE`, `INPUT_INVALID`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`. Requires `POLICIES_POLICY_MANAGE`.
   *
   * @example
   * const value = await engine.ledger.publishedSchema(owner, '1706823227.586179534');
   * await engine.editing.edit(owner, policyId, [{ op: 'addEntry', list: 'schemas', value }]);
   */
  async publishedSchema(caller: Caller, messageId: string): Promise<JsonObject> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    demandText(messageId, 'ledger.publishedSchema', 'messageId');
    const { file } = await this.#read(messageId, 'schema');
    return schemaIn(file, messageId, this.deps.policyFileLimits);
  }

  async #read(messageId: string, kind: PublishedFile['kind']): Promise<PublishedFile> {
    const { publications } = this.deps;
    if (publications === null) throw new BlockworkError('LEDGER_ABSENT');
    const publication = await publications.read(messageId).catch((cause: unknown) => {
      throw unreadable(messageId, shownMessage(cause), cause);
    });
    if (publication === undefined) throw new BlockworkError('PUBLICATION_UNKNOWN', { facts: { messageId } });
    if (publication.kind === kind) return publication;
    throw unreadable(messageId, `it publishes the ${publication.kind} "${publication.name}", and no ${kind}`);
  }

  #asked(): LedgerOperation {
    const { externalLedger } = this.deps;
    if (externalLedger?.operation === undefined) throw new BlockworkError('LEDGER_ABSENT');
    return externalLedger.operation;
  }
}

const unreadable = (messageId: string, reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('PUBLICATION_UNREADABLE', { facts: { messageId, reason: reason.replace(/\.$/, '') }, cause });

/** The file is not trusted, also if it was checked by whoever read it. */
function schemaIn(file: Uint8Array, messageId: string, limits: PolicyFileLimits): JsonObject {
  const most = limits.entryBytes;
  if (file.length > most) throw unreadable(messageId, `the schema has more than ${String(most)} bytes`);
  const { value, reason } = tryParseJson(file, 'the schema', limits);
  if (reason !== undefined) throw unreadable(messageId, reason);
  if (isObject(value) && typeof value['iri'] === 'string' && isObject(value['document'])) return value as JsonObject;
  throw unreadable(messageId, 'the schema has no iri or no document');
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (isBlockworkError(cause)) throw cause;
    throw new BlockworkError('LEDGER_UNREACHABLE', {
      facts: { reason: shownMessage(cause).replace(/\.$/, '') },
      cause,
    });
  }
}

async function witnessedLog(store: RecordReader, ledger: Ledger, policyId: string): Promise<WitnessedLog> {
  const [log, newest] = await Promise.all([StoredLog.open(store, policyId), newestInBook(store, policyId)]);
  const entries = log?.size ?? 0;
  if (newest === undefined) return { policyId, entries, witness: null };
  const at = new Date(momentOfMessage(newest.id)).toISOString();
  const messageId = await witnessIdOf(ledger, policyId, newest);
  return { policyId, entries, witness: { at, entries: sizeOf(newest), messageId: messageId ?? null } };
}
