/** Opens a zip archive after checking its announced sizes against the limits. */
import type { PolicyFileLimits } from '../limits/limits.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';
import { readZipDirectory, type ZipEntry } from './directory.js';
import { unpackEntry } from './unpack-entry.js';

export interface ZipArchive {
  /** Names of the files in the archive's order, without folders. */
  readonly names: readonly string[];
  /** The content of a file; `undefined` if there is no such file. @throws POLICY_FILE_INVALID if it is damaged. */
  unpack(name: string): Uint8Array | undefined;
}

/** Smaller entries may have any ratio. */
const RATIO_CHECKED_FROM = 1024 * 1024;

/** @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, naming the entry and the limit. */
export function openZip(bytes: Uint8Array, limits: PolicyFileLimits): ZipArchive {
  if (bytes.byteLength > limits.fileBytes) {
    throw fileTooLarge(`${bytes.byteLength} bytes, more than the limit of ${limits.fileBytes}`);
  }
  const entries = new Map<string, ZipEntry>();
  let total = 0;
  for (const entry of readZipDirectory(bytes, limits.entries)) {
    if (entries.has(entry.name)) throw fileInvalid(`the archive has two entries called "${entry.name}"`);
    assertWithinLimits(entry, limits);
    total += entry.size;
    if (total > limits.totalBytes)
      throw fileTooLarge(`it unpacks to more than the limit of ${limits.totalBytes} bytes`);
    entries.set(entry.name, entry);
  }
  return {
    names: [...entries.keys()].filter((name) => !name.endsWith('/')),
    unpack: (name) => {
      const entry = entries.get(name);
      return entry === undefined ? undefined : unpackEntry(bytes, entry);
    },
  };
}

function assertWithinLimits({ name, method, size, packedSize }: ZipEntry, limits: PolicyFileLimits): void {
  if (method !== 0 && method !== 8) {
    throw fileInvalid(`the entry "${name}" is packed by method ${method}; only stored (0) and deflated (8) are read`);
  }
  if (size > limits.entryBytes) {
    throw fileTooLarge(`the entry "${name}" unpacks to ${size} bytes, more than the limit of ${limits.entryBytes}`);
  }
  if (size >= RATIO_CHECKED_FROM && size > packedSize * limits.ratio) {
    const ratio = packedSize === 0 ? 'nothing' : `1/${Math.floor(size / packedSize)}`;
    throw fileTooLarge(`the entry "${name}" is packed to ${ratio} of its size, beyond the limit of 1/${limits.ratio}`);
  }
}
