/** The files inside a `.policy` archive, for tools that keep a policy as a folder. */
import { policyFileLimits, type PolicyFileLimits } from './limits/limits.js';
import { openZip } from './zip/archive.js';
import { writeZip } from './zip/write-zip.js';

/**
 * All files of the archive by name, in archive order, without folders. Names never escape the archive.
 * @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE.
 */
export function unpackArchive(bytes: Uint8Array, limits: Partial<PolicyFileLimits> = {}): Map<string, Uint8Array> {
  const archive = openZip(bytes, policyFileLimits(limits));
  return new Map(archive.names.map((name) => [name, archive.unpack(name) ?? new Uint8Array()]));
}

/**
 * Packs these files. The same files in the same order give the same bytes.
 * @throws POLICY_FILE_INVALID for a name that escapes the archive, POLICY_FILE_TOO_LARGE.
 */
export function packArchive(
  files: ReadonlyMap<string, Uint8Array>,
  limits: Partial<PolicyFileLimits> = {},
): Uint8Array {
  const bytes = writeZip(files);
  // The reader enforces the rules for names and sizes, so whatever is written can be read.
  openZip(bytes, policyFileLimits(limits));
  return bytes;
}
