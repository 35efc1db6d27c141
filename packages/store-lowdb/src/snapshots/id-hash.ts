/** Hashes an id, given as text or as bytes in a file. */
import { randomIds } from '@blockwork/core/adapter';

const prime = 0x01000193;

/** FNV-1a over UTF-16 code units, which for ASCII equal the bytes. */
export class IdHash {
  readonly #basis: number;

  /** `seed`: 32 bits, secret, so that nobody can choose ids that collide and slow down lookups. */
  constructor(seed = randomSeed()) {
    this.#basis = seed | 0;
  }

  ofText(id: string): number {
    let hash = this.#basis;
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), prime);
    return mixed(hash);
  }

  /** The bytes must be ASCII. */
  ofBytes(bytes: Uint8Array, start: number, end: number): number {
    let hash = this.#basis;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
    return mixed(hash);
  }
}

/** The first eight digits of a random UUID are all random. */
const randomSeed = (): number => Number.parseInt(randomIds.uuid().slice(0, 8), 16);

/** Finalizer: without it, consecutive ids hardly differ in the low bits, which select the slot. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
