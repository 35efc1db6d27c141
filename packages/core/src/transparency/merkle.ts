/** Merkle tree hashing (RFC 6962, section 2): hashes of leaves and nodes, and which parts of a tree a proof consists of. */
import { hash } from 'node:crypto';

/** SHA-256, 32 bytes. */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;

/** Leaves from `start` up to, and without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is hashed before the data of a leaf, and before two hashes. */
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)] as const;

export const leafHash = (data: Uint8Array): Hash => sha256(LEAF, data);

export const nodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right);

/** The root of a tree without leaves. */
export const emptyRoot = (): Hash => sha256();

/**
 * The parts of a tree with `size` leaves whose hashes prove that the leaf at `index` is in it, from the leaf up (RFC 6962,
 * section 2.1.1). The leaf must be in the tree.
 */
export function inclusionSpans(index: number, size: number): Span[] {
  const spans: Span[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + leftSize(end - start);
    if (index < middle) {
      spans.push({ start: middle, end });
      end = middle;
    } else {
      spans.push({ start, end: middle });
      start = middle;
    }
  }
  return spans.reverse();
}

/**
 * The parts of a tree with `size` leaves whose hashes prove that it begins with all leaves of the tree it was when it had
 * `earlier` ones (RFC 6962, section 2.1.2). None for an empty tree, and for the same one.
 */
export function consistencySpans(earlier: number, size: number): Span[] {
  if (earlier === 0 || earlier === size) return [];
  const spans: Span[] = [];
  let [start, end] = [0, size];
  while (end !== earlier) {
    const middle = start + leftSize(end - start);
    if (earlier <= middle) {
      spans.push({ start: middle, end });
      end = middle;
    } else {
      spans.push({ start, end: middle });
      start = middle;
    }
  }
  // The earlier tree itself is known to the verifier.
  if (start > 0) spans.push({ start, end });
  return spans.reverse();
}

/**
 * Whether the hashes, as `inclusionSpans` names them, lead from the leaf to the root.
 *
 * @example verifyInclusion({ index: 3, size: 7, leaf, proof, root });
 */
export function verifyInclusion(claim: {
  readonly index: number;
  readonly size: number;
  readonly leaf: Hash;
  readonly proof: readonly Hash[];
  readonly root: Hash;
}): boolean {
  const { index, size, leaf, proof, root } = claim;
  if (!isPosition(index) || !isPosition(size) || index >= size) return false;
  const spans = inclusionSpans(index, size);
  if (spans.length !== proof.length) return false;
  const reached = spans.reduce((hash, { start }, at) => {
    const other = proof[at] ?? hash;
    return start > index ? nodeHash(hash, other) : nodeHash(other, hash);
  }, leaf);
  return isSame(reached, root);
}

/**
 * Whether the hashes, as `consistencySpans` names them, show that a tree with `size` leaves and this `root` begins with
 * the tree of `earlier` leaves and root `earlierRoot`.
 *
 * @example verifyConsistency({ earlier: 3, size: 7, earlierRoot, root, proof });
 */
export function verifyConsistency(claim: {
  readonly earlier: number;
  readonly size: number;
  readonly earlierRoot: Hash;
  readonly root: Hash;
  readonly proof: readonly Hash[];
}): boolean {
  const { earlier, size, earlierRoot, root, proof } = claim;
  if (!isPosition(earlier) || !isPosition(size) || earlier > size) return false;
  if (earlier === 0) return proof.length === 0 && isSame(earlierRoot, emptyRoot());
  if (earlier === size) return proof.length === 0 && isSame(earlierRoot, root);
  const spans = consistencySpans(earlier, size);
  if (spans.length !== proof.length) return false;
  // Without a first part of its own, the walk begins with the earlier tree as a whole.
  const isWhole = !spans.some(({ end }) => end === earlier);
  const [first = earlierRoot, ...others] = isWhole ? [earlierRoot, ...proof] : proof;
  let [old, present] = [first, first];
  for (const [at, { start }] of (isWhole ? spans : spans.slice(1)).entries()) {
    const other = others[at] ?? first;
    if (start >= earlier) {
      present = nodeHash(present, other);
    } else {
      old = nodeHash(other, old);
      present = nodeHash(other, present);
    }
  }
  return isSame(old, earlierRoot) && isSame(present, root);
}

/** The largest power of two below `size`, which is at least 2. */
export function leftSize(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const isSame = (one: Hash, other: Hash): boolean => Buffer.compare(one, other) === 0;

const isPosition = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const sha256 = (...parts: readonly Uint8Array[]): Hash => hash('sha256', Buffer.concat(parts), 'buffer');
