/** Makes a store of lines of JSON that `exportStore` has written. */
import { silentLogger, systemClock } from '@blockwork/core';
import { unavailable } from '../files/failures.js';
import { layoutOf } from '../files/layout.js';
import { acquireLock } from '../lock/lock.js';
import { assemble } from '../store/open-lowdb-store.js';
import { Manifest } from '../manifest/manifest.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { checkedOptions } from '../store/options.js';
import { Recovered } from '../recovery/recovered.js';
import type { ExportEnd } from './export-store.js';
import { linesOf } from './lines.js';
import { assertEmpty, folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ImportOptions extends ToolOptions {
  /** The exported text: a file's stream, for instance. */
  readonly from: AsyncIterable<Uint8Array>;
}

/**
 * `folder` must be empty or not exist. It is a store once everything is in it: one that was left half-done is refused by
 * whoever opens it. Rejects with `OPTION_INVALID`, with the number of the line where there is one.
 */
export async function importStore(options: ImportOptions): Promise<ExportEnd> {
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  await assertEmpty(files, 'folder', folder);
  const layout = layoutOf(folder);
  for (const made of [layout.folder, layout.snapshots, layout.journal]) await files.makeFolder(made);
  const lock = await acquireLock(files, layout, systemClock, (options.fileSystem ?? nodeFileSystem) === nodeFileSystem);
  try {
    const checked = checkedOptions({ folder, logger: silentLogger, fileSystem: files });
    const manifest = new Manifest(files, layout.manifest);
    const recovered = new Recovered(manifest, layout, checked.partBytes, false);
    const end = await new ImportedLines(recovered).take(options.from);
    manifest.mustBeSaved = true;
    const store = assemble(files, layout, lock, checked, recovered, undefined);
    await store.checkpoint();
    await store.close();
    return end;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class ImportedLines {
  readonly #into: Recovered;
  readonly #count = { records: 0, revisions: 0 };
  #line = 0;

  constructor(into: Recovered) {
    this.#into = into;
  }

  async take(source: AsyncIterable<Uint8Array>): Promise<ExportEnd> {
    let end: ExportEnd | undefined;
    for await (const text of linesOf(source)) {
      this.#line += 1;
      if (text === '') continue;
      if (end !== undefined) throw this.#wrong('there is a line behind the last one');
      const line = this.#parse(text);
      if (this.#line === 1) this.#takeHead(line);
      else if ('records' in line) end = this.#checkedEnd(line);
      else this.#takeLine(line, text.length);
    }
    if (end === undefined) throw this.#wrong('the last line is missing: the file was cut short');
    return end;
  }

  #takeHead(line: Record<string, unknown>): void {
    if (line['export'] !== 'blockwork-store' || !Number.isSafeInteger(line['commits']))
      throw this.#wrong('this is not an export of a store');
    if (line['version'] !== 1)
      throw this.#wrong(`it has the version ${JSON.stringify(line['version'])}, and this one reads version 1`);
    this.#into.saw(line['commits'] as number);
  }

  #takeLine(line: Partial<Record<'kind' | 'partition' | 'value' | 'key' | 'revision', unknown>>, bytes: number): void {
    const { kind, partition, value, key, revision } = line;
    if (typeof key === 'string' && Number.isSafeInteger(revision)) {
      this.#into.setRevision(key, revision as number);
      this.#count.revisions += 1;
      return;
    }
    const id = (value as { id?: unknown } | null | undefined)?.id;
    if (typeof kind !== 'string' || typeof partition !== 'string' || typeof id !== 'string')
      throw this.#wrong('it is neither a record (kind, partition, value with an id) nor a revision (key, revision)');
    const { snapshots } = this.#into;
    const table = snapshots.table(partition, kind);
    if (table.has(id)) throw this.#wrong(`there is a record "${id}" of this kind and partition before`);
    table.put(id, value, bytes);
    snapshots.changed(table);
    this.#count.records += 1;
  }

  #checkedEnd(line: Record<string, unknown>): ExportEnd {
    const { records, revisions } = this.#count;
    if (line['records'] === records && line['revisions'] === revisions) return this.#count;
    throw this.#wrong(`it tells of ${String(line['records'])} records, and there are ${records}`);
  }

  #parse(text: string): Record<string, unknown> {
    try {
      const line: unknown = JSON.parse(text);
      if (typeof line === 'object' && line !== null && !Array.isArray(line)) return line as Record<string, unknown>;
    } catch (error) {
      throw this.#wrong('it is not JSON', error);
    }
    throw this.#wrong('it is not a JSON object');
  }

  #wrong(reason: string, cause?: unknown): Error {
    return unavailable(`line ${this.#line} of the export cannot be used: ${reason}. Nothing was imported`, cause);
  }
}
