/** Creates a store from the lines of JSON that `exportStore` writes. */
import { demandObject, type StoreEnd, systemClock } from '@blockwork/core/adapter';
import { unavailable } from '../files/failures.js';
import { fencedFileSystem } from '../files/fenced-file-system.js';
import { assertEmpty, folderOption } from '../files/folder-option.js';
import { layoutOf } from '../files/layout.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { acquireLock } from '../lock/lock.js';
import { Manifest } from '../manifest/manifest.js';
import { tableKind } from '../manifest/table-kind.js';
import { RecoveredState } from '../recovery/recovered-state.js';
import { createStore, type OpenContext } from '../store/open-lowdb-store.js';
import { validatedOptions } from '../store/options.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ImportOptions extends ToolOptions {
  /** The exported text, such as a file stream. */
  readonly from: AsyncIterable<Uint8Array>;
}

/**
 * `folder` must be empty or missing. An interrupted import leaves no store: opening it is refused. A wrong export leaves
 * the folder empty. Rejects with
 * `OPTION_INVALID`, or with `STORE_UNAVAILABLE` and the number of the wrong line.
 */
export async function importStore(options: ImportOptions): Promise<StoreEnd> {
  demandObject(options, 'importStore', 'options', 'a folder and from');
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  await assertEmpty(files, 'folder', folder);
  const layout = layoutOf(folder);
  await files.makeFolder(layout.folder);
  const lock = await acquireLock(files, layout, systemClock, (options.fileSystem ?? nodeFileSystem) === nodeFileSystem);
  try {
    const fenced = fencedFileSystem(files, lock);
    const context = { files: fenced, layout, lock, options: validatedOptions({ folder, fileSystem: files }) };
    return await importInto(context, options.from);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function importInto(context: OpenContext, from: ImportOptions['from']): Promise<StoreEnd> {
  const { files, layout, options } = context;
  const manifest = new Manifest(files, layout.manifest);
  const state = new RecoveredState(manifest, layout, {
    partBytes: options.partBytes,
    acceptsLoss: false,
    keepsHistory: false,
  });
  const end = await new ExportReader(state).read(from);
  // Only now: a wrong export leaves an empty folder, into which the right one can be imported.
  for (const path of [layout.snapshots, layout.journal]) await files.makeFolder(path);
  manifest.needsSave = true;
  const store = createStore(context, state, undefined);
  await store.checkpoint();
  await store.close();
  return end;
}

class ExportReader {
  readonly #state: RecoveredState;
  readonly #count = { records: 0, revisions: 0 };
  #line = 0;

  constructor(state: RecoveredState) {
    this.#state = state;
  }

  async read(source: AsyncIterable<Uint8Array>): Promise<StoreEnd> {
    let end: StoreEnd | undefined;
    for await (const text of splitLines(source)) {
      this.#line += 1;
      if (text === '') continue;
      if (end !== undefined) throw this.#invalid('it follows the last line');
      const line = this.#parse(text);
      if (this.#line === 1) this.#readHead(line);
      else if ('records' in line) end = this.#readEnd(line);
      else this.#readLine(line, text.length);
    }
    if (end === undefined) throw this.#invalid('the last line is missing: the file is incomplete');
    return end;
  }

  #readHead(line: Record<string, unknown>): void {
    if (line['export'] !== 'blockwork-store' || !Number.isSafeInteger(line['commits']))
      throw this.#invalid('it is not the first line of an export');
    if (line['version'] !== 1)
      throw this.#invalid(`its version is ${JSON.stringify(line['version'])}; only version 1 is supported`);
    this.#state.advanceTo(line['commits'] as number);
  }

  #readLine(line: Partial<Record<'kind' | 'partition' | 'value' | 'key' | 'revision', unknown>>, bytes: number): void {
    const { kind, partition, value, key, revision } = line;
    if (typeof key === 'string' && Number.isSafeInteger(revision)) {
      this.#state.setRevision(key, revision as number);
      this.#count.revisions += 1;
      return;
    }
    const id = (value as { id?: unknown } | null | undefined)?.id;
    if (typeof kind !== 'string' || typeof partition !== 'string' || typeof id !== 'string')
      throw this.#invalid('it is neither a record (kind, partition, value with an id) nor a revision (key, revision)');
    const { snapshots } = this.#state;
    const table = snapshots.table(partition, tableKind(kind, partition, id));
    if (table.has(id)) throw this.#invalid(`the record "${id}" of this kind and partition already exists`);
    snapshots.put(table, value as { id: string }, bytes);
    this.#count.records += 1;
  }

  #readEnd(line: Record<string, unknown>): StoreEnd {
    const { records, revisions } = this.#count;
    if (line['records'] === records && line['revisions'] === revisions) return this.#count;
    const expected = `${String(line['records'])} records and ${String(line['revisions'])} revisions`;
    throw this.#invalid(`it announces ${expected}, but there are ${records} and ${revisions}`);
  }

  #parse(text: string): Record<string, unknown> {
    try {
      const line: unknown = JSON.parse(text);
      if (typeof line === 'object' && line !== null && !Array.isArray(line)) return line as Record<string, unknown>;
    } catch (error) {
      throw this.#invalid('it is not JSON', error);
    }
    throw this.#invalid('it is not a JSON object');
  }

  #invalid(reason: string, cause?: unknown): Error {
    return unavailable(`line ${this.#line} of the export is invalid: ${reason}. Nothing was imported`, cause);
  }
}

/** Splits bytes at line feeds only: strings in records may contain other separators. */

async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer[] = [];
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield Buffer.concat([...rest, bytes.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}
