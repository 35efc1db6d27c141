/** Envelopes: messages between instances, signed by the sender and opened only by whom they are for. */
import { BlockworkError } from '../../errors.js';
import { describeDetails, toDetails } from '../../problem-details.js';
import { messageHead, nestsTooDeep } from '../../records/index.js';
import type { InstanceMessage, Json, MessageHead } from '../../records/index.js';
import type { InstanceIdentity } from './instance-identity.js';
import { MessageRefused } from './refusal.js';
import { keyIdOf, type Signatures } from './signatures.js';
import type { KnownPeers } from './known-peers.js';
import type { TrustedPeers } from './trusted-peers.js';

export interface EnvelopeDeps {
  readonly signatures: Signatures;
  readonly peers: Pick<TrustedPeers, 'known'>;
  /** Characters of a signed message at most. */
  readonly messageCharacters: number;
}

/** What is known of an opened message: its head by the schema, the rest as it came. */
export interface OpenedMessage {
  readonly head: MessageHead;
  readonly message: unknown;
  /** By which it was believed. */
  readonly peers: KnownPeers;
}

export class Envelopes {
  constructor(
    private readonly identity: InstanceIdentity,
    private readonly deps: EnvelopeDeps,
  ) {}

  seal(message: Json): Promise<Json> {
    const { id, key } = this.identity;
    return this.deps.signatures.sign(JSON.stringify(message), id, key);
  }

  /** Throws `MESSAGE_TOO_LARGE` for what the other side would refuse. */
  demandSize(message: InstanceMessage): void {
    const limit = this.deps.messageCharacters;
    if (this.fits(message)) return;
    const reason = `it may have ${String(limit)} characters once it is signed`;
    throw new BlockworkError('MESSAGE_TOO_LARGE', { facts: { limit, reason } });
  }

  fits(message: InstanceMessage): boolean {
    const inBase64 = (bytes: number): number => Math.ceil((bytes * 4) / 3);
    return (
      inBase64(Buffer.byteLength(JSON.stringify(message))) + 400 + this.identity.id.length * 8 <=
      this.deps.messageCharacters
    );
  }

  /** Believes nothing before the signature is verified. Throws `MessageRefused`. */
  async open(body: Json): Promise<OpenedMessage> {
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
    return { ...this.#read(text, from), peers };
  }

  #read(text: string, from: string): Omit<OpenedMessage, 'peers'> {
    const message = parse(text, from);
    const parsed = messageHead.safeParse(message);
    if (!parsed.success) {
      throw new MessageRefused('invalid', describeDetails(toDetails(parsed.error), 'it'), from);
    }
    const head = parsed.data;
    if (head.from.instance !== from) {
      throw new MessageRefused('forged', `it speaks for "${head.from.instance}"`, from);
    }
    if (head.to !== this.identity.id) throw new MessageRefused('misaddressed', `it is for "${head.to}"`, from);
    return { head, message };
  }
}

function parse(text: string, from: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    if (!nestsTooDeep(message)) return message;
  } catch (error) {
    throw new MessageRefused('invalid', `it is no JSON: ${String(error)}`, from);
  }
  throw new MessageRefused('invalid', 'it nests too deep', from);
}
