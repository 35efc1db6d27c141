/** The files of drafts: scripts and tables, which blocks name by id. */
import type { Caller } from '../access/index.js';
import { assertOwnedIn } from '../catalog/index.js';
import { journalEntry } from '../context/index.js';
import { BlockworkError } from '../errors.js';
import type { PolicyFileLimits } from '../policy/index.js';
import type { Clock, Ids } from '../ports/index.js';
import { INSTANCE, type ArtifactRecord } from '../records/index.js';
import { lanes, revisionKeys, type Executor, type UnitOfWork } from '../transactions/index.js';

export interface DraftFilesDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly fileLimits: PolicyFileLimits;
}

/** A file to add. */
export interface DraftFile {
  readonly name: string;
  /** Without the dot, such as `json` or `js`. */
  readonly extension: string;
  readonly content: Uint8Array;
}

/** A file as lists have it. */
export type DraftFileSummary = Omit<ArtifactRecord, 'content'>;

/** Changes of files are journaled, but are no part of the history of edits: they cannot be undone. */
export class DraftFiles {
  constructor(private readonly deps: DraftFilesDeps) {}

  /** All or none. Throws `POLICY_NOT_OWNED`, `POLICY_STATUS`, `POLICY_FILE_TOO_LARGE`. */
  async add(caller: Caller, policyId: string, files: readonly DraftFile[]): Promise<DraftFileSummary[]> {
    const { entries, entryBytes, totalBytes } = this.deps.fileLimits;
    return this.#change(caller, policyId, async (unit) => {
      const before = await unit.find('artifact', policyId);
      const bytes = [
        ...before.map(({ content }) => decodedBytes(content)),
        ...files.map(({ content }) => content.length),
      ];
      const largest = Math.max(0, ...bytes);
      if (bytes.length > entries)
        throw tooLarge(`the draft would have more files than the limit of ${String(entries)}`);
      if (largest > entryBytes) throw tooLarge(`a file exceeds the limit of ${String(entryBytes)} bytes`);
      if (bytes.reduce((sum, each) => sum + each, 0) > totalBytes) {
        throw tooLarge(`the files of the draft would exceed the limit of ${String(totalBytes)} bytes`);
      }
      return files.map(({ name, extension, content }) => {
        const summary = { id: this.deps.ids.uuid(), name, extension };
        unit.put('artifact', policyId, { ...summary, content: Buffer.from(content).toString('base64') });
        return summary;
      });
    });
  }

  /** Throws `POLICY_NOT_OWNED`, `POLICY_STATUS`, and `EDIT_INVALID` for a file that the draft does not have. */
  async remove(caller: Caller, policyId: string, fileId: string): Promise<void> {
    await this.#change(caller, policyId, async (unit) => {
      if ((await unit.get('artifact', policyId, fileId)) === undefined) {
        throw new BlockworkError('EDIT_INVALID', { facts: { policyId, reason: `it has no file "${fileId}"` } });
      }
      unit.delete('artifact', policyId, fileId);
    });
  }

  async #change<Result>(
    caller: Caller,
    policyId: string,
    change: (unit: UnitOfWork) => Promise<Result>,
  ): Promise<Result> {
    const { executor, clock } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    const { result } = await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      const record = await unit.get('policy', INSTANCE, policyId);
      if (record === undefined) throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
      assertOwnedIn(['DRAFT'], record, 'edit', caller.did);
      const changed = await change(unit);
      const cause = { type: 'lifecycle', action: 'edit', did: caller.did } as const;
      unit.put('journal', policyId, journalEntry(cause, unit.expected(key), clock));
      return changed;
    });
    return result;
  }
}

/** Of text in base64. */
const decodedBytes = (text: string): number => Buffer.byteLength(text, 'base64');

const tooLarge = (reason: string): BlockworkError => new BlockworkError('POLICY_FILE_TOO_LARGE', { facts: { reason } });
