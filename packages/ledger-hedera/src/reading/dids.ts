/** Keys of `did:hedera`, from the documents that were published in the topic of the DID: proven by the hash in it, whoever published them. */
import type { JsonObject } from '@blockwork/core';
import { checkOptions, invalidOption, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { hederaDids } from '../forms/hedera-did.js';
import { topicMessages, type MirrorMessage } from '../network/history.js';
import { isWebAddress } from '../network/http.js';
import { mirrorRest, type AskMirror } from '../network/mirror-rest.js';
import { mirrors } from '../network/public-mirrors.js';
import { isFileSource, type FileSource } from './gateway-files.js';
import { jsonIn } from './json-in.js';

export interface DidsOptions {
  /** Address of a mirror node up to `/api`; default: a public one of the network that the DID names. */
  readonly mirror?: string;
  readonly files: FileSource;
  /** Milliseconds until the mirror must have answered; default 10,000. */
  readonly answerMs?: number;
}

export interface PublishedDid {
  readonly did: string;
  /** The Ed25519 key that the DID is made of, as a multikey. */
  readonly key: string;
  /** With this key only: the hash in the DID proves nothing else of what was published. */
  readonly document: JsonObject;
  readonly messageId: string;
  /** The account that paid for the message. */
  readonly payer: string;
}

export interface Dids {
  /**
   * `undefined` if no document with the key of the DID is published in its topic. Rejects for other DIDs, and if the mirror does not answer
   * or the only documents cannot be had.
   */
  resolve(did: string): Promise<PublishedDid | undefined>;
}

const shape: OptionShape<DidsOptions> = {
  mirror: optionTypes.satisfying(isWebAddress, 'must be an address such as https://mirror.example'),
  files: optionTypes.satisfying(isFileSource, 'must have the method get'),
  answerMs: optionTypes.milliseconds(1),
};

/** Anyone may write to a topic: of so many messages are so many files read that claim to be of the DID. */
const MESSAGES_AT_MOST = 20_000;
const FILES_AT_MOST = 20;

/** Needs no account and no key. Throws `OPTION_INVALID`. */
export function openDids(options: DidsOptions): Dids {
  checkOptions(options, shape, '', 'openDids');
  const { files, answerMs = 10_000 } = options;
  return didsOn((network) => {
    const url = options.mirror ?? mirrors[network];
    if (url === undefined) throw invalidOption('mirror', `it must be given for the network "${network}"`);
    return mirrorRest(url, answerMs);
  }, files);
}

export function didsOn(askOf: (network: string) => AskMirror, files: FileSource): Dids {
  return {
    async resolve(did) {
      const [, network = '', topic = ''] = /^did:hedera:([a-z\d-]{1,40}):\w{32,44}_(\d+\.\d+\.\d+)$/.exec(did) ?? [];
      if (topic === '') throw new Error(`"${did.slice(0, 200)}" is no did:hedera that names a topic.`);
      const method = hederaDids({ network, topic });
      let unread: Error | undefined;
      for await (const { message, cid } of candidates(askOf(network), topic, did)) {
        const content = await files.get(cid).catch((error: unknown) => {
          unread = error instanceof Error ? error : new Error(String(error));
        });
        const found = keysIn(content ?? new Uint8Array()).find((key) => method.identityOf(key).did === did);
        if (found === undefined) continue;
        const { consensus_timestamp: messageId, payer_account_id: payer } = message;
        const key = `z${base58.encode(Uint8Array.of(...MULTIKEY, ...found))}`;
        return { did, key, document: method.identityOf(found).document, messageId, payer };
      }
      if (unread !== undefined) throw unread;
      return undefined;
    },
  };
}

/** The header of an Ed25519 key as a multikey. */
const MULTIKEY = [0xed, 0x01];

const announcement = z.object({ type: z.literal('DID-Document'), did: z.string(), cid: z.string().max(200) });

/** The messages that announce a document of the DID. */
async function* candidates(
  ask: AskMirror,
  topic: string,
  did: string,
): AsyncGenerator<{ readonly message: MirrorMessage; readonly cid: string }, void> {
  let [read, files] = [0, 0];
  for await (const message of topicMessages(ask, topic, 0)) {
    read += 1;
    if (read > MESSAGES_AT_MOST || files === FILES_AT_MOST) return;
    const { data } = announcement.safeParse(jsonIn(Buffer.from(message.message, 'base64')));
    if (data?.did !== did) continue;
    files += 1;
    yield { message, cid: data.cid };
  }
}

const keyText = z.object({ publicKeyBase58: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) });
const published = z.object({ verificationMethod: z.array(z.unknown()).max(100) });

function keysIn(file: Uint8Array): Uint8Array[] {
  const { data } = published.safeParse(jsonIn(file));
  return (data?.verificationMethod ?? []).flatMap((method) => {
    const { data: text } = keyText.safeParse(method);
    return text === undefined ? [] : base58.decode(text.publicKeyBase58);
  });
}
