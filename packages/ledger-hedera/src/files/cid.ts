/** The CID of a file as IPFS nodes give it: version 1, raw leaves of 256 KiB, a balanced tree of 174 links. */
import { createHash } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { bytes, encode, int, many, message, one } from '../wire/protobuf.js';

/** Other sizes give other CIDs: a node must be asked for this one. */
export const CHUNK_BYTES = 262_144;
const LINKS = 174;

/** Multicodecs. */
export const RAW = 0x55;
export const DAG_PB = 0x70;
const FILE = 2n;

/** A node of the tree: its CID, the bytes of the file below it, and those with all nodes. */
interface Node {
  readonly cid: Uint8Array;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const unixFs = message({ type: one(1, int), fileSize: one(3, int) });
const link = { hash: message({ hash: one(1, bytes) }), size: message({ size: one(3, int) }) };
/** The empty name of a link, which is written all the same. */
const NO_NAME = Uint8Array.of(0x12, 0);
const links = message({ links: many(2, bytes) });

/**
 * The CID (version 1) that an IPFS node gives a file with its default chunking, in base32 as in `ipfs://<cid>`: of the
 * bytes up to 256 KiB, otherwise of a UnixFS tree.
 *
 * @example cidOf(Buffer.from('hello world')); // 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
 */
export function cidOf(content: Uint8Array): string {
  let level: Node[] = [];
  for (let at = 0; at === 0 || at < content.length; at += CHUNK_BYTES)
    level.push(leaf(content.subarray(at, at + CHUNK_BYTES)));
  while (level.length > 1) {
    const parents: Node[] = [];
    for (let at = 0; at < level.length; at += LINKS) parents.push(parent(level.slice(at, at + LINKS)));
    level = parents;
  }
  const [top] = level;
  return `b${base32nopad.encode(top?.cid ?? new Uint8Array()).toLowerCase()}`;
}

const leaf = (content: Uint8Array): Node => ({
  cid: cid(RAW, content),
  fileBytes: content.length,
  totalBytes: content.length,
});

/** In a node of the tree, links come before the data. */
function parent(children: readonly Node[]): Node {
  const fileBytes = children.reduce((sum, child) => sum + child.fileBytes, 0);
  const sizes = children.flatMap((child) => [...encode(blockSize, { size: BigInt(child.fileBytes) })]);
  const data = Buffer.concat([encode(unixFs, { type: FILE, fileSize: BigInt(fileBytes) }), Uint8Array.from(sizes)]);
  const content = Buffer.concat([encode(links, { links: children.map(linkTo) }), encode(nodeData, { data })]);
  const totalBytes = content.length + children.reduce((sum, child) => sum + child.totalBytes, 0);
  return { cid: cid(DAG_PB, content), fileBytes, totalBytes };
}

const linkTo = ({ cid: hash, totalBytes }: Node): Uint8Array =>
  Buffer.concat([encode(link.hash, { hash }), NO_NAME, encode(link.size, { size: BigInt(totalBytes) })]);

/** One of several sizes, which are not packed here. */
const blockSize = message({ size: one(4, int) });
const nodeData = message({ data: one(1, bytes) });

const cid = (codec: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(1, codec, 0x12, 32), createHash('sha256').update(content).digest()]);
