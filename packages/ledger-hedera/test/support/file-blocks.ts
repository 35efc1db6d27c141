/** The blocks of a file as IPFS nodes cut it, written from the format's description and not by the code under test. */
import { createHash } from 'node:crypto';

interface Form {
  /** Bytes of a leaf; the classic size by default. */
  readonly chunkBytes?: number;
  /** Version 0: leaves are nodes too. */
  readonly isOld?: boolean;
}

interface Built {
  readonly cid: Buffer;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Of the content, or a node over blocks that are named by their CIDs. Keys are CIDs of version 1, as gateways are asked. */
export function fileBlocks(
  content: Uint8Array | readonly string[],
  { chunkBytes = 262_144, isOld = false }: Form = {},
): { readonly root: string; readonly blocks: Map<string, Uint8Array> } {
  const blocks = new Map<string, Uint8Array>();
  const store = (codec: number, block: Uint8Array): Buffer => {
    const hash = Buffer.concat([Buffer.of(0x12, 32), createHash('sha256').update(block).digest()]);
    const modern = Buffer.concat([Buffer.of(1, codec), hash]);
    blocks.set(`b${base32(modern)}`, block);
    return isOld ? hash : modern;
  };
  const parent = (children: readonly Built[]): Built => {
    const fileBytes = children.reduce((sum, each) => sum + each.fileBytes, 0);
    const links = children.map(({ cid, totalBytes }) =>
      field(2, Buffer.concat([field(1, cid), Buffer.of(0x12, 0), Buffer.of(0x18), varint(totalBytes)])),
    );
    const sizes = children.map((each) => Buffer.concat([Buffer.of(0x20), varint(each.fileBytes)]));
    const data = Buffer.concat([Buffer.of(0x08, 2, 0x18), varint(fileBytes), ...sizes]);
    const block = Buffer.concat([...links, field(1, data)]);
    const totalBytes = block.length + children.reduce((sum, each) => sum + each.totalBytes, 0);
    return { cid: store(0x70, block), fileBytes, totalBytes };
  };
  const leaf = (bytes: Uint8Array): Built => {
    if (!isOld) return { cid: store(0x55, bytes), fileBytes: bytes.length, totalBytes: bytes.length };
    const own = bytes.length === 0 ? Buffer.alloc(0) : field(2, bytes);
    const data = Buffer.concat([Buffer.of(0x08, 2), own, Buffer.of(0x18), varint(bytes.length)]);
    const block = field(1, data);
    return { cid: store(0x70, block), fileBytes: bytes.length, totalBytes: block.length };
  };
  let level: Built[] =
    content instanceof Uint8Array
      ? Array.from({ length: Math.max(1, Math.ceil(content.length / chunkBytes)) }, (_, at) =>
          leaf(content.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
        )
      : [parent(content.map((cid) => ({ cid: fromBase32(cid.slice(1)), fileBytes: 1, totalBytes: 1 })))];
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 174) }, (_, at) =>
      parent(level.slice(at * 174, at * 174 + 174)),
    );
  const root = level[0]?.cid ?? Buffer.alloc(0);
  return { root: isOld ? base58(root) : `b${base32(root)}`, blocks };
}

const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(number * 8 + 2), varint(content.length), content]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function base32(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const bits = bytes.length * 8;
  const letters = Math.ceil(bits / 5);
  value <<= BigInt(letters * 5 - bits);
  return Array.from(
    { length: letters },
    (_, at) => LETTERS[Number((value >> BigInt((letters - 1 - at) * 5)) & 31n)],
  ).join('');
}

function fromBase32(text: string): Buffer {
  const value = Array.from(text).reduce((sum, letter) => sum * 32n + BigInt(LETTERS.indexOf(letter)), 0n);
  const bytes = Math.floor((text.length * 5) / 8);
  return Buffer.from((value >> BigInt(text.length * 5 - bytes * 8)).toString(16).padStart(bytes * 2, '0'), 'hex');
}

function base58(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = (BASE58[Number(value % 58n)] ?? '') + text;
  return text;
}
