/** The log of a policy's journal: checkpoints, tiles and proofs, for everybody who sees the policy. */
import type { Caller } from '../../access/index.js';
import { BlockworkError } from '../../errors.js';
import type { Keys } from '../../ports/index.js';
import type { JournalEntry } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import {
  checkpointOf,
  consistencySpans,
  inclusionSpans,
  leafData,
  leafOf,
  StoredLog,
  tileAt,
  TILE_WIDTH,
  type Hash,
  type LogCheckpoint,
  type LogLeaf,
} from '../../transparency/index.js';
import type { Gate } from '../gate.js';
import type { PolicySight } from '../people/policy-sight.js';
import { entriesWithIds } from './journal-entries.js';

/** That an entry is in the log of a checkpoint. */
export interface LogProof {
  /** `null` if the entry is neither in the journal nor in its archive any more; its hash is still in the log. */
  readonly leaf: LogLeaf | null;
  /** Of the leaf, in Base64: whoever kept the entry can still prove it. */
  readonly hash: string;
  /** Its position, from 0. */
  readonly index: number;
  /** The hashes from the leaf to the root (RFC 6962, section 2.1.1), in Base64. */
  readonly hashes: readonly string[];
  readonly checkpoint: LogCheckpoint;
}

/** That a log continues what it was: its first entries are those that it had then, unchanged and in their order. */
export interface LogConsistency {
  /** Number of entries then. */
  readonly earlier: number;
  /** The root of the tree then, in Base64: it must be that of the checkpoint that was kept. */
  readonly root: string;
  /** The hashes that lead to both roots (RFC 6962, section 2.1.2), in Base64. */
  readonly hashes: readonly string[];
  readonly checkpoint: LogCheckpoint;
}

export interface JournalLogDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly runDeps: { readonly keys: Keys };
}

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `LOG_UNKNOWN`, `ENGINE_CLOSED`. */
export class JournalLog {
  constructor(
    private readonly gate: Gate,
    private readonly deps: JournalLogDeps,
  ) {}

  /**
   * The log as it is now, signed by this instance. Throws `KEY_UNAVAILABLE`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const { note } = await engine.journalLog.checkpoint(owner, policyId);
   */
  async checkpoint(caller: Caller, policyId: string): Promise<LogCheckpoint> {
    return checkpointOf(await this.#open(caller, policyId), this.deps.runDeps.keys);
  }

  /**
   * A tile by its path below the log (C2SP `tlog-tiles`): hashes of 32 bytes each, or the leaves themselves, each after its
   * length in two bytes. A leaf whose entry is neither in the journal nor in its archive is empty. Throws
   * `LOG_TILE_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const tile = await engine.journalLog.tile(owner, policyId, 'tile/0/000.p/1');
   */
  async tile(caller: Caller, policyId: string, path: string): Promise<Uint8Array> {
    const log = await this.#open(caller, policyId);
    const address = tileAt(path);
    const unknown = (): BlockworkError => new BlockworkError('LOG_TILE_UNKNOWN', { facts: { policyId, path } });
    if (address === undefined) throw unknown();
    const { level, index, width } = address;
    if (index * TILE_WIDTH + width > log.width(level === 'entries' ? 0 : level)) throw unknown();
    if (level !== 'entries') return log.hashes(level, index, width);
    const ids = await log.entries(index, width);
    const entries = await entriesWithIds(this.deps.store, policyId, ids);
    return Buffer.concat(ids.flatMap((id) => bundled(entries.get(id))));
  }

  /**
   * Proves that an entry of the journal is in the log, also an archived one. Throws `JOURNAL_ENTRY_UNKNOWN`, also for an entry that is
   * older than the log, `KEY_UNAVAILABLE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { index, hashes } = await engine.journalLog.proof(owner, policyId, entryId);
   */
  async proof(caller: Caller, policyId: string, entryId: string): Promise<LogProof> {
    const log = await this.#open(caller, policyId);
    const index = await log.indexOf(entryId);
    if (index === undefined) throw new BlockworkError('JOURNAL_ENTRY_UNKNOWN', { facts: { policyId, entryId } });
    const entry = (await entriesWithIds(this.deps.store, policyId, [entryId])).get(entryId);
    const [hash, hashes] = await Promise.all([log.leafHash(index), log.tree.hashesOf(inclusionSpans(index, log.size))]);
    return {
      leaf: entry === undefined ? null : leafOf(entry),
      hash: base64(hash),
      index,
      hashes: hashes.map(base64),
      checkpoint: await checkpointOf(log, this.deps.runDeps.keys),
    };
  }

  /**
   * Proves that the log continues the one with so many entries, of which somebody has kept the checkpoint. Throws
   * `LOG_SHORTER` if it has fewer now, `INPUT_INVALID` for a number below 1, `KEY_UNAVAILABLE`, and the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example const { root, hashes } = await engine.journalLog.consistency(owner, policyId, 1);
   */
  async consistency(caller: Caller, policyId: string, earlier: number): Promise<LogConsistency> {
    const log = await this.#open(caller, policyId);
    const { root, hashes } = await growthOf(log, policyId, earlier);
    return { earlier, root, hashes, checkpoint: await checkpointOf(log, this.deps.runDeps.keys) };
  }

  async #open(caller: Caller, policyId: string): Promise<StoredLog> {
    this.gate.admit(caller, 'POLICIES_POLICY_READ');
    await this.deps.sight.open(caller, policyId);
    const log = await StoredLog.open(this.deps.store, policyId);
    if (log === undefined) throw new BlockworkError('LOG_UNKNOWN', { facts: { policyId } });
    return log;
  }
}

/** Throws `LOG_SHORTER`, `INPUT_INVALID`. */
export async function growthOf(
  log: StoredLog,
  policyId: string,
  earlier: number,
): Promise<Pick<LogConsistency, 'root' | 'hashes'>> {
  const { size, tree } = log;
  if (!Number.isSafeInteger(earlier) || earlier < 1)
    throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'the size of an earlier log must be 1 or more' } });
  if (earlier > size) throw new BlockworkError('LOG_SHORTER', { facts: { policyId, size, earlier } });
  const hashes = await tree.hashesOf(consistencySpans(earlier, size));
  return { root: base64(await tree.hashOf({ start: 0, end: earlier })), hashes: hashes.map(base64) };
}

function bundled(entry: JournalEntry | undefined): Buffer[] {
  const data = entry === undefined ? Buffer.alloc(0) : leafData(leafOf(entry));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return [length, data];
}

const base64 = (hash: Hash): string => Buffer.from(hash).toString('base64');
