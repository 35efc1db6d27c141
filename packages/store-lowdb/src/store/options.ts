/** The options of the store, and their validation. */
import type { Clock, Logger } from '@blockwork/core';
import { checkOptions, optionTypes, silentLogger, systemClock, type OptionShape } from '@blockwork/core/adapter';
import type { FileSystem } from '../files/file-system.js';
import { folderOption } from '../files/folder-option.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { durabilities, type Durability } from '../journal/durability.js';

export interface LowdbStoreOptions {
  /** Created if missing. Only one store at a time can have it open. */
  readonly folder: string;
  /** Default: `fsync`. */
  readonly durability?: Durability;
  /** Logs recovery, damage and failed checkpoints. Default: silent. */
  readonly logger?: Logger;
  /**
   * Journal size in bytes that starts a background checkpoint. Default: 16 MiB. Larger: less is written in total, but
   * opening after a crash takes longer.
   */
  readonly checkpointBytes?: number;
  /** Size in bytes of one journal file. Default: 16 MiB. */
  readonly segmentBytes?: number;
  /** Target size in bytes of one snapshot file. A change rewrites at least one file. Default: 512 KiB. */
  readonly partBytes?: number;
  /** Timestamps the lock. Default: the system clock. */
  readonly clock?: Clock;
  /** Replaces the machine's file system, for tests. */
  readonly fileSystem?: FileSystem;
}

const mebibyte = 2 ** 20;
const bytes = optionTypes.satisfying(
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  'must be a positive whole number of bytes',
);

const shape: OptionShape<LowdbStoreOptions> = {
  folder: optionTypes.satisfying((value) => typeof value === 'string', 'must be the path of a folder'),
  durability: optionTypes.oneOf(...durabilities),
  logger: optionTypes.logger,
  checkpointBytes: bytes,
  segmentBytes: bytes,
  partBytes: bytes,
  clock: optionTypes.clock,
  fileSystem: optionTypes.object,
};

/** Throws `OPTION_INVALID`, naming the option. */
export function validatedOptions(options: LowdbStoreOptions): Required<LowdbStoreOptions> {
  checkOptions(options, shape, 'lowdb store: ');
  const { durability = 'fsync', logger = silentLogger, clock = systemClock, fileSystem = nodeFileSystem } = options;
  const { checkpointBytes = 16 * mebibyte, segmentBytes = 16 * mebibyte, partBytes = mebibyte / 2 } = options;
  const folder = folderOption('folder', options.folder);
  return { folder, durability, logger, checkpointBytes, segmentBytes, partBytes, clock, fileSystem };
}
