/** `LogStore`: a policy store on one file, to which each commit is a line. Its records are in memory; opening it reads the file again. */
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
  /** `durable`: what `commit` has resolved for is on the disk. `shared`: only one process may have the file open. */
  readonly capabilities = { durable: true, shared: false };
  /** Finds, orders and counts, with indexes; reads are copies, which belong to the caller. */
  readonly #tables = new RecordTables();
  readonly #file: FileHandle;
  #length = 0;
  /** The commits, one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the file, or makes it. */
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

  /** Copies first: the caller may change what it has given as soon as this returns. */
  async commit(changeSet: ChangeSet): Promise<void> {
    this.#assertOpen();
    const copy = copyChangeSet(changeSet);
    const committed = this.#last.then(async () => {
      this.#tables.revisions.check(copy.expect);
      await this.#append(`${JSON.stringify(copy)}\n`);
      // Nobody sees a commit that the disk may not have.
      this.#tables.apply(copy);
    });
    this.#last = committed.catch(() => undefined);
    return committed;
  }

  /** Waits for the commits under way. May be called again. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#last = this.#last.then(() => this.#file.close());
    }
    await this.#last;
  }

  /** A commit is a whole line: a last line without its end was never acknowledged, and goes. */
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
      // What fails must not be found when the log is read again. Where that cannot be had, nobody knows whether it will be.
      await this.#cut().catch(() => {
        throw new BlockworkError('COMMIT_UNKNOWN', { facts, cause });
      });
      throw new BlockworkError('STORE_UNAVAILABLE', { facts, cause });
    }
  }

  /** Takes away what a commit that failed has left behind. */
  #cut(): Promise<void> {
    return this.#file.truncate(this.#length);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new BlockworkError('STORE_CLOSED');
  }
}
