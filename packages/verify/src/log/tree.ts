/** A Merkle tree of hashes (RFC 6962, section 2), over hashes in hexadecimal digits. */
import { sha256 } from '../crypto/digest.js';
import { hexOf } from './note.js';

export const leafHash = (data: Uint8Array): Promise<string> => hash(new Uint8Array([0, ...data]));

/** The root over the hashes of leaves. */
export async function rootOf(leaves: readonly string[]): Promise<string> {
  let level = leaves;
  if (level.length === 0) return hash(new Uint8Array());
  // From the bottom up; an odd one moves up as it is, which gives the same tree as the definition.
  while (level.length > 1) {
    const above: Promise<string>[] = [];
    for (let at = 0; at + 1 < level.length; at += 2) above.push(nodeHash(level[at] ?? '', level[at + 1] ?? ''));
    const next = await Promise.all(above);
    if (level.length % 2 === 1) next.push(level.at(-1) ?? '');
    level = next;
  }
  return level[0] ?? '';
}

/** The root that a leaf and the hashes beside its way up lead to; `undefined` if there are too many or too few. */
export async function rootOfProof(
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
): Promise<string | undefined> {
  let [at, last, root] = [index, size - 1, leaf];
  if (!Number.isSafeInteger(index) || index < 0 || index > last) return undefined;
  for (const other of proof) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      root = await nodeHash(other, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else root = await nodeHash(root, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/** Of a tree and one that it was earlier. */
export interface Growth {
  readonly earlier: { readonly size: number; readonly root: string };
  readonly present: { readonly size: number; readonly root: string };
  /** The hashes of RFC 6962, section 2.1.2. */
  readonly proof: readonly string[];
}

/** Whether the present tree begins with all leaves of the earlier one (RFC 9162, section 2.1.4.2). */
export async function isContinued({ earlier, present, proof }: Growth): Promise<boolean> {
  if (!isSize(earlier.size) || !isSize(present.size) || earlier.size > present.size) return false;
  if (earlier.size === present.size) return proof.length === 0 && earlier.root === present.root;
  let [at, last] = [earlier.size - 1, present.size - 1];
  while (at % 2 === 1) [at, last] = halves(at, last);
  // A full tree is a node of the present one: its root begins the proof.
  const [first, ...others] = at === 0 ? [earlier.root, ...proof] : proof;
  if (first === undefined) return false;
  let [old, grown] = [first, first];
  for (const other of others) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [old, grown] = [await nodeHash(other, old), await nodeHash(other, grown)];
      while (at % 2 === 0 && at !== 0) [at, last] = halves(at, last);
    } else grown = await nodeHash(grown, other);
    [at, last] = halves(at, last);
  }
  return last === 0 && old === earlier.root && grown === present.root;
}

const halves = (one: number, other: number): [number, number] => [Math.floor(one / 2), Math.floor(other / 2)];
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

const nodeHash = (left: string, right: string): Promise<string> => {
  const bytes = new Uint8Array(65);
  bytes[0] = 1;
  bytes.set(bytesOf(left), 1);
  bytes.set(bytesOf(right), 33);
  return hash(bytes);
};

const hash = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => hexOf(await sha256(bytes));

const bytesOf = (hex: string): number[] => (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
