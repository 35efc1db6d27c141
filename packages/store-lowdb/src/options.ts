/** The options of the store, checked. */
import { resolve } from 'node:path';
import { BlockworkError, silentLogger, systemClock, type Clock, type Logger } from '@blockwork/core';
import type { FileSystem } from './file-system.js';
import { nodeFileSystem } from './node-file-system.js';

const durabilities = ['fsync', 'os', 'none'] as const;

/**
 * When a commit is acknowledged:
 * - `fsync`: when the disk has it. Survives a power cut. Costs one flush for all commits that wait together.
 * - `os`: when the operating system has it. Survives the end of the process, however sudden, but not a power cut.
 * - `none`: at once. The last moments may be lost with the process.
 */
export type Durability = (typeof durabilities)[number];

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
  if (typeof folder !== 'string' || folder.trim() === '') throw invalid('folder', 'it must be the path of a folder');
  if (folder.includes('\0')) throw invalid('folder', 'a path cannot hold a zero byte');
  if (!durabilities.includes(durability)) throw invalid('durability', `it must be one of ${durabilities.join(', ')}`);
  assertBytes('checkpointBytes', checkpointBytes);
  assertBytes('segmentBytes', segmentBytes);
  assertBytes('partBytes', partBytes);
  return { folder: resolve(folder), durability, logger, checkpointBytes, segmentBytes, partBytes, clock, fileSystem };
}

function assertBytes(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw invalid(option, 'it must be a positive whole number of bytes');
}

const invalid = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option: `lowdb store: ${option}`, reason } });
