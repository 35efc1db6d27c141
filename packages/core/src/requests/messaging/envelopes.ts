/**
 * Envelopes: messages between instances, signed by the sender and opened only by their addressee; one envelope for
 * several messages if both sides support it.
 */
import { BlockworkError } from '../../errors.js';
import { describeDetails, toDetails } from '../../problem-details.js';
import { isObject, messageHead, nestsTooDeep } from '../../records/index.js';
import type { InstanceMessage, Json, MessageHead, OutboxMessage } from '../../records/index.js';
import type { InstanceIdentity } from './instance-identity.js';
import { MessageRefused } from './refusal.js';
import { keyIdOf, type Signatures } from './signatures.js';
import type { KnownPeers } from './known-peers.js';
import type { TrustedPeers } from './trusted-peers.js';

export interface EnvelopeDeps {
  readonly signatures: Signatures;
  readonly peers: Pick<TrustedPeers, 'known'>;
  /** Maximum characters of a signed message. */
  readonly messageCharacters: number;
}

/** The content of an opened message: its head validated by the schema, the rest as received. */
export interface OpenedMessage {
  readonly head: MessageHead;
  readonly message: unknown;
  /** The peers against which it was verified. */
  readonly peers: KnownPeers;
}

/** The content of an envelope, in order: messages, and the refusals of others in it. */
export type Opened = readonly (OpenedMessage | MessageRefused)[];

/** Messages of one topic sealed in one envelope. */
export interface Sealed {
  readonly messages: readonly OutboxMessage[];
  readonly body: Json;
}

/** Maximum number of messages in an envelope, and of bytes if it holds several. */
const MESSAGES_AT_MOST = 64;
const BYTES_AT_MOST = 128 * 1024;

export class Envelopes {
  /** Instances whose last message announced that they accept several in one envelope. */
  readonly #takeBatches = new Set<string>();

  constructor(
    private readonly identity: InstanceIdentity,
    private readonly deps: EnvelopeDeps,
  ) {}

  /** In order, except for those that go alone. `isAlone`: whether a message does, whatever its addressee accepts. */
  seal(messages: readonly OutboxMessage[], isAlone: (message: OutboxMessage) => boolean): Promise<Sealed[]> {
    const batches: Batch[] = [];
    const open = new Map<string, Batch>();
    for (const message of messages) {
      const text = textOf(message.message);
      // Including the separator to the next one.
      const bytes = Buffer.byteLength(text) + 1;
      const isShared = this.#acceptsBatches(message.message) && !isAlone(message);
      const last = isShared ? open.get(message.topic) : undefined;
      const batch = last !== undefined && this.#hasRoom(last, bytes) ? last : { messages: [], texts: [], bytes: 0 };
      if (batch !== last) batches.push(batch);
      if (isShared) open.set(message.topic, batch);
      batch.messages.push(message);
      batch.texts.push(text);
      batch.bytes += bytes;
    }
    return Promise.all(batches.map(async (batch) => ({ messages: batch.messages, body: await this.#sign(batch) })));
  }

  #hasRoom({ texts, bytes }: Batch, more: number): boolean {
    const together = bytes + more;
    return texts.length < MESSAGES_AT_MOST && together <= BYTES_AT_MOST && this.#fitsSigned(together);
  }

  #sign({ texts }: Batch): Promise<Json> {
    const { id, key } = this.identity;
    const text = texts.join();
    return this.deps.signatures.sign(texts.length === 1 ? text : `[${text}]`, id, key);
  }

  #acceptsBatches(message: Json): boolean {
    const to = isObject(message) ? message['to'] : undefined;
    return typeof to === 'string' && this.#takeBatches.has(to);
  }

  /** Throws `MESSAGE_TOO_LARGE` for a message that the other side would refuse. */
  assertSize(message: InstanceMessage): void {
    const limit = this.deps.messageCharacters;
    if (this.fits(message)) return;
    const reason = `it may have ${String(limit)} characters once it is signed`;
    throw new BlockworkError('MESSAGE_TOO_LARGE', { facts: { limit, reason } });
  }

  fits(message: InstanceMessage): boolean {
    return this.#fitsSigned(Buffer.byteLength(JSON.stringify(message)));
  }

  #fitsSigned(bytes: number): boolean {
    const inBase64 = Math.ceil((bytes * 4) / 3);
    return inBase64 + 400 + this.identity.id.length * 8 <= this.deps.messageCharacters;
  }

  /** Trusts nothing before the signature is verified. Throws `MessageRefused` for an envelope as a whole. */
  async open(body: Json): Promise<Opened> {
    if (typeof body !== 'string') throw new MessageRefused('malformed', 'it is no signed text');
    if (body.length > this.deps.messageCharacters) {
      throw new MessageRefused('oversized', `it has ${String(body.length)} characters`);
    }
    const from = keyIdOf(body);
    if (from === undefined) throw new MessageRefused('malformed', 'it is no signed text that says who signed it');
    const claimed = from.slice(0, 200);
    const peers = await this.deps.peers.known();
    const key = peers.keyOf(from);
    if (key === undefined) throw new MessageRefused('unknown-sender', 'it is from no peer', claimed);
    const text = await this.deps.signatures.verify(body, key).catch((error: unknown) => {
      throw new MessageRefused('forged', error instanceof Error ? error.message : String(error), claimed);
    });
    return messagesIn(text, from).map((message) => {
      try {
        return { ...this.#read(message, from), peers };
      } catch (error) {
        if (error instanceof MessageRefused) return error;
        throw error;
      }
    });
  }

  #read(message: unknown, from: string): Omit<OpenedMessage, 'peers'> {
    if (nestsTooDeep(message)) throw new MessageRefused('invalid', 'it nests too deep', from);
    const parsed = messageHead.safeParse(message);
    if (!parsed.success) {
      throw new MessageRefused('invalid', describeDetails(toDetails(parsed.error), 'it'), from);
    }
    const head = parsed.data;
    if (head.from.instance !== from) {
      throw new MessageRefused('forged', `it speaks for "${head.from.instance}"`, from);
    }
    if (head.to !== this.identity.id) throw new MessageRefused('misaddressed', `it is for "${head.to}"`, from);
    if (head.takesBatches === true) this.#takeBatches.add(from);
    else this.#takeBatches.delete(from);
    return { head, message };
  }
}

interface Batch {
  readonly messages: OutboxMessage[];
  readonly texts: string[];
  bytes: number;
}

const textOf = (message: Json): string =>
  JSON.stringify(isObject(message) ? { ...message, takesBatches: true } : message);

/** The messages of a batch envelope; otherwise the single one. Throws `MessageRefused`. */
function messagesIn(text: string, from: string): unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new MessageRefused('invalid', `it is no JSON: ${String(error)}`, from);
  }
  if (!Array.isArray(parsed)) return [parsed];
  if (parsed.length > 0 && parsed.length <= MESSAGES_AT_MOST) return parsed;
  const detail = `it holds ${String(parsed.length)} messages, and may hold 1 to ${String(MESSAGES_AT_MOST)}`;
  throw new MessageRefused('invalid', detail, from);
}
