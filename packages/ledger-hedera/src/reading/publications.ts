/** What was published on the ledger, by the id of its message: policies, tools, modules and schemas with their files. */
import type { ToolSource } from '@blockwork/core';
import { checkOptions, invalidOption, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { z } from 'zod';
import { isWebAddress } from '../network/http.js';
import { topicMessage, topicMessages, type MirrorMessage } from '../network/history.js';
import { mirrorRest, timestamp, type AskMirror } from '../network/mirror-rest.js';
import { mirrors } from '../network/public-mirrors.js';
import { isFileSource, type FileSource } from './gateway-files.js';
import { jsonIn } from './json-in.js';
import type { Publication } from './publication.js';
import { readSchema } from './schema-publication.js';

export interface PublicationsOptions {
  /** `mainnet`, `testnet`, `previewnet`, or a name of your own. */
  readonly network: string;
  /** Address of a mirror node up to `/api`; has a default for the three public networks. */
  readonly mirror?: string;
  readonly files: FileSource;
  /** Milliseconds until the mirror must have answered; default 10,000. */
  readonly answerMs?: number;
}

export interface Publications extends ToolSource {
  /**
   * `undefined` if there is no message with this id. Rejects for a message that publishes nothing, and if the mirror does not
   * answer or a file cannot be had or is not what the message says.
   */
  read(messageId: string): Promise<Publication | undefined>;
}

const shape: OptionShape<PublicationsOptions> = {
  network: optionTypes.text,
  mirror: optionTypes.satisfying(isWebAddress, 'must be an address such as https://mirror.example'),
  files: optionTypes.satisfying(isFileSource, 'must have the method get'),
  answerMs: optionTypes.milliseconds(1),
};

/** Of one message; the network's client sends at most 20. */
const CHUNKS = 40;
/** Pieces of one message are sent within seconds, between those of others. */
const READ_AT_MOST = 500;

const text = z.string().max(20_000);
const published = z.object({
  type: text,
  action: text,
  name: text.optional(),
  version: text.optional(),
  owner: text.optional(),
  hash: text.nullish(),
  cid: text.optional(),
});
const isSchema = z.object({ type: z.literal('Schema'), action: z.literal('publish-schema') });

/** What readers of the ledger import, by type and action. */
const kinds: Readonly<Record<string, Publication['kind']>> = {
  'Instance-Policy/publish-policy': 'policy',
  'Tool/publish-tool': 'tool',
  'Module/publish-module': 'module',
};

/** Needs no account and no key. Throws `OPTION_INVALID`. */
export function openPublications(options: PublicationsOptions): Publications {
  checkOptions(options, shape, '', 'openPublications');
  const { network, files, answerMs = 10_000 } = options;
  const url = options.mirror ?? mirrors[network];
  if (url === undefined) throw invalidOption('mirror', `it must be given for the network "${network}"`);
  return publicationsOn(mirrorRest(url, answerMs), files);
}

export function publicationsOn(ask: AskMirror, files: FileSource): Publications {
  const read = async (messageId: string): Promise<Publication | undefined> => {
    if (!timestamp.safeParse(messageId).success)
      throw new Error(`"${messageId.slice(0, 80)}" is not the id of a message, such as 1706823227.586179534.`);
    const first = await ask(`topics/messages/${messageId}`, topicMessage);
    if (first === undefined) return undefined;
    const content = jsonIn(await contentOf(first, ask));
    const { topic_id: topicId, payer_account_id: payer } = first;
    if (isSchema.safeParse(content).success) return readSchema(content, { messageId, topicId, payer }, files);
    const message = published.safeParse(content);
    const kind = message.data && kinds[`${message.data.type}/${message.data.action}`];
    if (message.data === undefined || kind === undefined)
      throw new Error(`The message ${messageId} publishes neither a policy, nor a tool, a module or a schema.`);
    const { name = '', version = '', owner = '', hash, cid } = message.data;
    if (cid === undefined)
      throw new Error(
        `The message ${messageId} publishes a ${kind} without its file, so that nobody can read it from there. Ask whoever published it for the file.`,
      );
    const facts = { messageId, topicId, payer, name, version, owner, hash: hash ?? '', cid };
    return { kind, ...facts, file: await files.get(cid) };
  };
  return {
    read,
    /** A message may name any hash: only one that names the wanted one is taken. */
    async find({ messageId, hash }) {
      const publication = await read(messageId);
      return publication?.kind === 'tool' && publication.hash === hash ? publication.file : undefined;
    },
  };
}

/** The whole message. A writer's pieces are told by their first transaction, payer and topic. */
async function contentOf(first: MirrorMessage, ask: AskMirror): Promise<Uint8Array> {
  const { chunk_info: chunk, topic_id: topic } = first;
  if (!chunk || chunk.total === 1) return Buffer.from(first.message, 'base64');
  if (chunk.number !== 1) throw new Error(`The id ${first.consensus_timestamp} is that of a later piece of a message.`);
  if (chunk.total > CHUNKS) throw new Error(`The message ${first.consensus_timestamp} has too many pieces.`);
  const pieces = new Map([[1, first.message]]);
  let read = 0;
  for await (const each of topicMessages(ask, topic, first.sequence_number)) {
    const number = each.chunk_info?.number ?? 0;
    if (isPieceOf(first, each) && !pieces.has(number)) pieces.set(number, each.message);
    read += 1;
    if (read === READ_AT_MOST || pieces.size === chunk.total) break;
  }
  const all = Array.from({ length: chunk.total }, (_, at) => pieces.get(at + 1));
  if (all.includes(undefined)) throw new Error(`The mirror does not show all pieces of ${first.consensus_timestamp}.`);
  return Buffer.concat(all.map((piece = '') => Buffer.from(piece, 'base64')));
}

function isPieceOf(first: MirrorMessage, each: MirrorMessage): boolean {
  const [a, b] = [first.chunk_info?.initial_transaction_id, each.chunk_info?.initial_transaction_id];
  return (
    a?.transaction_valid_start === b?.transaction_valid_start &&
    a?.account_id === b?.account_id &&
    first.payer_account_id === each.payer_account_id &&
    first.chunk_info?.total === each.chunk_info?.total
  );
}
