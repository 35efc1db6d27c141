/** `LogStore`: a policy store in a single append-only file with one line per commit. Records are kept in memory and loaded on opening. */
import { BlockworkError } from '@blockwork/core';
import {
  copyChangeSet,
  RecordTables,
  type ChangeSet,
  type Condition,
  type PolicyStore,
  type RecordKind,
  type RecordKinds,
  type RecordQuery,
} from '@blockwork/core/adapter';
import { open, type FileHandle } from 'node:fs/promises';

export class LogStore implements PolicyStore {
  /** `durable`: a resolved commit is on disk. `shared`: false, since only one process may open the file. */
  readonly capabilities = { durable: true, shared: false };
  /** Finds, sorts and counts with indexes; reads return copies that the caller owns. */
  readonly #tables = new RecordTables();
  readonly #file: FileHandle;
  #length = 0;
  /** Serializes commits. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the file, creating it if necessary. */
  static async open(path: string): Promise<LogStore> {
    const store = new LogStore(await open(path, 'a+'));
    await store.#replay();
    return store;
  }

  async revision(key: string): Promise<number> {
    this.#assertOpen();
    return this.#tables.revisions.get(key);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    this.#assertOpen();
    return this.#tables.get(kind, partition, id);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    this.#assertOpen();
    return this.#tables.find(kind, partition, query);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    this.#assertOpen();
    return this.#tables.count(kind, partition, where);
  }

  /** Copies first, because the caller may modify its argument as soon as this returns. */
  async commit(changeSet: ChangeSet): Promise<void> {
    this.#assertOpen();
    const copy = copyChangeSet(changeSet);
    const committed = this.#last.then(async () => {
      this.#tables.revisions.check(copy.expect);
      await this.#append(`${JSON.stringify(copy)}\n`);
      // A commit becomes visible only once it is on disk.
      this.#tables.apply(copy);
    });
    this.#last = committed.catch(() => undefined);
    return committed;
  }

  /** Waits for pending commits. May be called twice. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#last = this.#last.then(() => this.#file.close());
    }
    await this.#last;
  }

  /** Each commit is a complete line: an unterminated last line was never acknowledged and is dropped. */
  async #replay(): Promise<void> {
    const text = await this.#file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) if (line !== '') this.#tables.apply(JSON.parse(line) as ChangeSet);
    this.#length = Buffer.byteLength(whole);
    await this.#cut();
  }

  async #append(line: string): Promise<void> {
    try {
      await this.#cut();
      await this.#file.appendFile(line);
      await this.#file.datasync();
      this.#length += Buffer.byteLength(line);
    } catch (cause) {
      const facts = { reason: 'the log cannot be written' };
      // A failed commit must not reappear when the log is read again. If it cannot be removed, its outcome is unknown.
      await this.#cut().catch(() => {
        throw new BlockworkError('COMMIT_UNKNOWN', { facts, cause });
      });
      throw new BlockworkError('STORE_UNAVAILABLE', { facts, cause });
    }
  }

  /** Truncates the remains of a failed commit. */
  #cut(): Promise<void> {
    return this.#file.truncate(this.#length);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new BlockworkError('STORE_CLOSED');
  }
}
