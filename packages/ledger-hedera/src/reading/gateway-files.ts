/** Reading files of IPFS from any gateway: block by block, each compared with its hash, so that none has to be trusted. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { isWebAddress, limitedBody } from '../network/http.js';
import { assertBlock, cidText, fileNode, readCid, type CidParts } from './block.js';

/** Where files are read, addressed by their content. */
export interface FileSource {
  /** Resolves with exactly the bytes that the CID names. Rejects if they cannot be had, and if they are more than `bytesAtMost`. */
  get(cid: string, bytesAtMost?: number): Promise<Uint8Array>;
}

export const isFileSource = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Partial<FileSource>).get === 'function';

/** Of a file that readers take, unless they are told otherwise. */
export const FILE_BYTES = 64 * 1024 * 1024;

export interface GatewayFilesOptions {
  /** Address of a gateway, such as `https://ipfs.example`, that answers `/ipfs/<cid>?format=raw`. */
  readonly url: string;
  /** The most bytes of a file; default 64 MiB. */
  readonly fileBytes?: number;
  /** Milliseconds until a block must have been read; default 120,000. */
  readonly answerMs?: number;
}

const shape: OptionShape<GatewayFilesOptions> = {
  url: optionTypes.satisfying(isWebAddress, 'must be an address such as https://ipfs.example'),
  fileBytes: optionTypes.wholeNumber(1, 2 ** 30),
  answerMs: optionTypes.milliseconds(1),
};

/** Nodes exchange no larger blocks. */
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Beyond it, a tree of blocks is made to keep a reader busy. */
const DEPTH = 8;
const BLOCKS = 100_000;

/** Throws `OPTION_INVALID`. */
export function gatewayFiles(options: GatewayFilesOptions): FileSource {
  checkOptions(options, shape, '', 'gatewayFiles');
  const { url, fileBytes = FILE_BYTES, answerMs = 120_000 } = options;
  const base = url.replace(/\/+$/, '');

  const blockOf = async (parts: CidParts): Promise<Uint8Array> => {
    const cid = cidText(parts);
    const answer = await fetch(`${base}/ipfs/${cid}?format=raw`, {
      // A gateway that sends elsewhere could send into the own network.
      redirect: 'error',
      headers: { accept: 'application/vnd.ipld.raw' },
      signal: AbortSignal.timeout(answerMs),
    });
    if (!answer.ok) throw new Error(`The gateway answers ${String(answer.status)} for the block ${cid}.`);
    const block = await limitedBody(answer, BLOCK_BYTES, `The block ${cid}`);
    assertBlock(parts, block, cid);
    return block;
  };

  return {
    async get(cid, bytesAtMost = fileBytes) {
      const most = Math.min(bytesAtMost, fileBytes);
      const chunks: Uint8Array[] = [];
      let [length, blocks] = [0, 0];
      const read = async (parts: CidParts, depth: number): Promise<void> => {
        blocks += 1;
        if (depth > DEPTH || blocks > BLOCKS) throw new Error(`The file ${cid} is built of too many blocks.`);
        const { content, children } = fileNode(parts, await blockOf(parts));
        length += content.length;
        if (length > most) throw new Error(`The file ${cid} has more than ${String(most)} bytes.`);
        chunks.push(content);
        for (const child of children) await read(child, depth + 1);
      };
      await read(readCid(cid), 0);
      return Buffer.concat(chunks);
    },
  };
}
