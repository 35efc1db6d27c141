/** The options of the store, checked. */
import { silentLogger, systemClock, type Clock, type Logger } from '@blockwork/core';
import type { FileSystem } from '../files/file-system.js';
import { folderOption, invalidOption } from '../files/folder-option.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { durabilities, type Durability } from '../journal/durability.js';

export interface LowdbStoreOptions {
  /** Where everything is kept. Made when it is missing. One store at a time has it open. */
  readonly folder: string;
  /** `fsync` when absent. */
  readonly durability?: Durability;
  /** Hears of recovery, damage and failing checkpoints. Silent when absent. */
  readonly logger?: Logger;
  /**
   * Bytes of the journal that start a checkpoint in the background; 16 MiB when absent. Larger: less is written
   * in all, and opening after a crash takes longer.
   */
  readonly checkpointBytes?: number;
  /** Bytes after which the journal goes on in another file; 16 MiB when absent. */
  readonly segmentBytes?: number;
  /** So much of a table goes into one file of its snapshot, about: what a checkpoint writes at least for a change in it. 512 KiB when absent. */
  readonly partBytes?: number;
  /** Says since when the folder is locked. The machine's time when absent. */
  readonly clock?: Clock;
  /** The machine's files when absent; tests put one in its place that fails. */
  readonly fileSystem?: FileSystem;
}

const mebibyte = 2 ** 20;

/** Throws `OPTION_INVALID` with the name of the option. */
export function checkedOptions(options: LowdbStoreOptions): Required<LowdbStoreOptions> {
  const { folder, durability = 'fsync', logger = silentLogger, clock = systemClock } = options;
  const { checkpointBytes = 16 * mebibyte, segmentBytes = 16 * mebibyte, partBytes = mebibyte / 2 } = options;
  const { fileSystem = nodeFileSystem } = options;
  if (!durabilities.includes(durability))
    throw invalidOption('durability', `it must be one of ${durabilities.join(', ')}`);
  assertBytes('checkpointBytes', checkpointBytes);
  assertBytes('segmentBytes', segmentBytes);
  assertBytes('partBytes', partBytes);
  return {
    folder: folderOption('folder', folder),
    durability,
    logger,
    checkpointBytes,
    segmentBytes,
    partBytes,
    clock,
    fileSystem,
  };
}

function assertBytes(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw invalidOption(option, 'it must be a positive whole number of bytes');
}
