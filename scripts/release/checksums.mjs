/** Digests of the files of a release, and the file `SHA256SUMS` in the form that `sha256sum --check` reads. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

export const CHECKSUMS = 'SHA256SUMS';

/** Both digests of a file, in hexadecimal: that of the checksums, and that which npm writes into lock files as its integrity. */
export async function digestsOf(file) {
  const bytes = await readFile(file);
  const digest = (algorithm) => createHash(algorithm).update(bytes).digest('hex');
  return { name: basename(file), sha256: digest('sha256'), sha512: digest('sha512') };
}

/** @param {{ name: string, sha256: string }[]} digests */
export const checksums = (digests) =>
  digests
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .sort((left, right) => (left.slice(66) < right.slice(66) ? -1 : 1))
    .join('');

/** The digest of each file by its name. Throws where a line is none of a plain file, or names one a second time. */
export function readChecksums(text) {
  const named = new Map();
  for (const line of text.trimEnd().split('\n')) {
    const [, digest, name] = /^([0-9a-f]{64}) [ *]([^/\\]+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`${CHECKSUMS} has a line that is no checksum: "${line.slice(0, 200)}".`);
    if (named.has(name)) throw new Error(`${CHECKSUMS} names ${name} twice.`);
    named.set(name, digest);
  }
  return named;
}
