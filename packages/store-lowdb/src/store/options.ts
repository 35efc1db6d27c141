/** The options of the store, and their validation. */
import { optionTypes, parseOptions, silentLogger, systemClock, type OptionsOf } from '@blockwork/core/adapter';
import type { FileSystem } from '../files/file-system.js';
import { folderOption } from '../files/folder-option.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { durabilities } from '../journal/journal-segment.js';

const mebibyte = 2 ** 20;
const bytes = optionTypes.satisfying<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  'must be a positive whole number of bytes',
);

const shape = {
  /** Created if missing. Only one store at a time can have it open. */
  folder: optionTypes.satisfying<string>((value) => typeof value === 'string', 'must be the path of a folder'),
  /** Default: `fsync`. */
  durability: optionTypes.oneOf(...durabilities).default('fsync'),
  /** Logs recovery, damage and failed checkpoints. Default: silent. */
  logger: optionTypes.logger.default(() => silentLogger),
  /**
   * Journal size in bytes that starts a background checkpoint. Default: 16 MiB. Larger: less is written in total, but
   * opening after a crash takes longer.
   */
  checkpointBytes: bytes.default(16 * mebibyte),
  /** Size in bytes of one journal file. Default: 16 MiB. */
  segmentBytes: bytes.default(16 * mebibyte),
  /** Target size in bytes of one snapshot file. A change rewrites at least one file. Default: 512 KiB. */
  partBytes: bytes.default(mebibyte / 2),
  /** Timestamps the lock. Default: the system clock. */
  clock: optionTypes.clock.default(() => systemClock),
  /** Replaces the machine's file system, for tests. */
  fileSystem: optionTypes.as<FileSystem>(optionTypes.object).default(() => nodeFileSystem),
};

export type LowdbStoreOptions = OptionsOf<typeof shape, 'folder'>;

/** Throws `OPTION_INVALID`, naming the option. */
export function validatedOptions(options: LowdbStoreOptions): Required<LowdbStoreOptions> {
  const resolved = parseOptions<typeof shape, 'folder'>(options, shape, 'lowdb store: ');
  return { ...resolved, folder: folderOption('folder', resolved.folder) };
}
