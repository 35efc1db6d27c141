/** Blocks of IPFS: the hash that a CID promises, and the file or the links that a block holds. */
import { createHash } from 'node:crypto';
import { base32nopad, base58 } from '@scure/base';
import { DAG_PB, RAW } from '../files/cid.js';
import { bytes, int, many, message, one } from '../wire/protobuf.js';

/** What a CID says of its block. */
export interface CidParts {
  readonly isRaw: boolean;
  /** SHA-256. */
  readonly hash: Uint8Array;
}

const SHA2_256 = 0x12;
const HASH_BYTES = 32;

/** Of version 0 (`Qm…`) and version 1 in base32 (`b…`). Throws for anything else. */
export function readCid(cid: string): CidParts {
  if (/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(cid)) {
    const [code, length, ...hash] = base58.decode(cid);
    if (code === SHA2_256 && length === HASH_BYTES && hash.length === HASH_BYTES)
      return { isRaw: false, hash: Uint8Array.from(hash) };
  }
  if (/^b[a-z2-7]{58}$/.test(cid)) {
    const [version, codec, code, length, ...hash] = base32Of(cid.slice(1));
    const isSound = version === 1 && code === SHA2_256 && length === HASH_BYTES && hash.length === HASH_BYTES;
    if (isSound && (codec === RAW || codec === DAG_PB)) return { isRaw: codec === RAW, hash: Uint8Array.from(hash) };
  }
  throw new Error(`"${cid.slice(0, 80)}" is not the CID of a file with a SHA-256 hash.`);
}

/** Empty if the last letter has bits that no byte has. */
function base32Of(text: string): readonly number[] {
  try {
    return [...base32nopad.decode(text.toUpperCase())];
  } catch {
    return [];
  }
}

/** Throws if the block is another one than that of the CID. */
export function assertBlock({ hash }: CidParts, block: Uint8Array, cid: string): void {
  if (!createHash('sha256').update(block).digest().equals(hash))
    throw new Error(`The block ${cid} has another content than its CID says.`);
}

/** A part of a file: its own bytes, and the blocks that follow in order. */
export interface FileNode {
  readonly content: Uint8Array;
  readonly children: readonly CidParts[];
}

const node = message({ links: many(2, message({ hash: one(1, bytes) })), data: one(1, bytes) });
const unixFs = message({ type: one(1, int), data: one(2, bytes) });
/** UnixFS's types of files. */
const types = new Set([0n, 2n]);

export function fileNode({ isRaw }: CidParts, block: Uint8Array): FileNode {
  if (isRaw) return { content: block, children: [] };
  const { links = [], data = new Uint8Array() } = node.decode(block);
  const { type = 0n, data: content = new Uint8Array() } = unixFs.decode(data);
  if (!types.has(type)) throw new Error('The CID names a folder or a link, not a file.');
  return { content, children: links.map(({ hash = new Uint8Array() }) => linked(hash)) };
}

/** A link holds the bytes of a CID. */
function linked(hash: Uint8Array): CidParts {
  const [first, second] = hash;
  if (first === SHA2_256 && second === HASH_BYTES && hash.length === 2 + HASH_BYTES)
    return { isRaw: false, hash: hash.subarray(2) };
  const isSound = first === 1 && hash[2] === SHA2_256 && hash[3] === HASH_BYTES && hash.length === 4 + HASH_BYTES;
  if (isSound && (second === RAW || second === DAG_PB)) return { isRaw: second === RAW, hash: hash.subarray(4) };
  throw new Error('The file has a block with a CID of another kind.');
}

/** In base32, for asking for the block. */
export const cidText = ({ isRaw, hash }: CidParts): string =>
  `b${base32nopad.encode(Uint8Array.of(1, isRaw ? RAW : DAG_PB, SHA2_256, HASH_BYTES, ...hash)).toLowerCase()}`;
