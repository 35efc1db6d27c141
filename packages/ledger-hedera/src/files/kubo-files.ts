/** Files in an IPFS node over the RPC of kubo. */
import { z } from 'zod';
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { isWebAddress, limitedBody } from '../network/http.js';
import { CHUNK_BYTES, cidOf } from './cid.js';
import type { FileStore } from './file-store.js';

export interface KuboFilesOptions {
  /** Address of the node's RPC, such as `http://127.0.0.1:5001`. */
  readonly url: string;
  /** The `Authorization` header, for a node behind a proxy. */
  readonly authorization?: string;
  /** Milliseconds until the node must have answered; default 30,000. */
  readonly answerMs?: number;
}

const shape: OptionShape<KuboFilesOptions> = {
  url: optionTypes.satisfying(isWebAddress, 'must be an address such as http://127.0.0.1:5001'),
  authorization: optionTypes.text,
  answerMs: optionTypes.milliseconds(1),
};

const added = z.object({ Hash: z.string().max(200) });
const ANSWER_BYTES = 4096;

/** Every file is pinned. Throws `OPTION_INVALID`. */
export function kuboFiles(options: KuboFilesOptions): FileStore {
  checkOptions(options, shape, '', 'kuboFiles');
  const { url, authorization, answerMs = 30_000 } = options;
  const query = `cid-version=1&raw-leaves=true&chunker=size-${String(CHUNK_BYTES)}&pin=true&quieter=true`;
  return {
    async put(bytes) {
      const form = new FormData();
      form.append('file', new Blob([Uint8Array.from(bytes)]));
      const answer = await fetch(`${url.replace(/\/+$/, '')}/api/v0/add?${query}`, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal: AbortSignal.timeout(answerMs),
        ...(authorization !== undefined && { headers: { authorization } }),
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new Error(`The IPFS node answers ${String(answer.status)}.`);
      }
      const content = (await limitedBody(answer, ANSWER_BYTES, 'The answer of the IPFS node')).toString('utf8');
      const { Hash: cid } = added.parse(JSON.parse(content));
      const own = cidOf(bytes);
      if (cid !== own) throw new Error(`The IPFS node gives the file the CID ${cid}, but it has ${own}.`);
      return own;
    },
  };
}
