/** Exports the content of a store as lines of JSON. */
import {
  demandObject,
  inLineOrder,
  systemClock,
  type StoreEnd,
  type StoreHead,
  type StoreLine,
  type StoreSource,
} from '@blockwork/core/adapter';
import { unavailable } from '../files/failures.js';
import { folderOption } from '../files/folder-option.js';
import { layoutOf } from '../files/layout.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { acquireLock } from '../lock/lock.js';
import type { RecoveredState } from '../recovery/recovered-state.js';
import { readFolder } from './read-folder.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ExportOptions extends ToolOptions {
  /** Receives the text in chunks. */
  readonly write: (text: string) => Promise<void>;
}

const chunkSize = 2 ** 16;

/**
 * The store may be open in another process; the export shows one moment. Rejects with `STORE_UNAVAILABLE` before anything
 * is written if the store is damaged, so that an export is never partial.
 */
export async function exportStore(options: ExportOptions): Promise<StoreEnd> {
  demandObject(options, 'exportStore', 'options', 'a folder and write');
  const lines = linesOf(await intactState(options));
  let chunk = '';
  for (let line = lines.next(); ; line = lines.next()) {
    chunk += `${JSON.stringify(line.value)}\n`;
    if (line.done === true || chunk.length >= chunkSize) {
      await options.write(chunk);
      chunk = '';
    }
    if (line.done === true) return line.value;
  }
}

/**
 * Opens the whole store as the source of a copy: no process can open it until the source is closed. Rejects with
 * `STORE_LOCKED` while one has it open, and with `STORE_UNAVAILABLE` if it is damaged, or no store.
 */
export async function openStoreSource(options: ToolOptions): Promise<StoreSource> {
  demandObject(options, 'openStoreSource', 'options', 'a folder');
  const files = toolFiles(options);
  const layout = layoutOf(folderOption('folder', options.folder));
  if ((await files.list(layout.folder)).length === 0)
    throw unavailable(`${layout.folder} is not a store: it does not exist, or is empty`);
  const isReal = (options.fileSystem ?? nodeFileSystem) === nodeFileSystem;
  const lock = await acquireLock(files, layout, systemClock, isReal);
  try {
    const state = await intactState(options);
    return { lines: () => textOf(state), close: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function intactState(options: ToolOptions): Promise<RecoveredState> {
  const folder = folderOption('folder', options.folder);
  const { state } = await readFolder(toolFiles(options), folder);
  const [first] = state.damage;
  if (first !== undefined)
    throw unavailable(`${first.file} in ${folder} is damaged: ${first.reason}. Repair the store first`);
  return state;
}

/** Asynchronous only in form, since the records are already in memory. */
const textOf = (state: RecoveredState): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const lines = texts(state);
    return { next: () => Promise.resolve(lines.next()) };
  },
});

function* texts(state: RecoveredState): Generator<string, undefined> {
  yield JSON.stringify(yield* mapped(linesOf(state)));
  return undefined;
}

function* mapped<Last>(lines: Generator<object, Last>): Generator<string, Last> {
  for (let line = lines.next(); ; line = lines.next()) {
    if (line.done === true) return line.value;
    yield JSON.stringify(line.value);
  }
}

function* linesOf({ lastSeq, tables }: RecoveredState): Generator<StoreHead | StoreLine, StoreEnd> {
  const end = { records: 0, revisions: 0 };
  yield { export: 'blockwork-store', version: 1, commits: lastSeq };
  const sorted = [...tables.tables()].sort(
    (a, b) => inLineOrder(a.partition, b.partition) || inLineOrder(a.kind, b.kind),
  );
  for (const { partition, kind } of sorted) {
    for (const value of tables.values(kind, partition)) {
      yield { kind, partition, value };
      end.records += 1;
    }
  }
  for (const [key, revision] of [...tables.revisions].sort(([a], [b]) => inLineOrder(a, b))) {
    yield { key, revision };
    end.revisions += 1;
  }
  return end;
}
