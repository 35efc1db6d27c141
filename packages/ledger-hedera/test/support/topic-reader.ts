/**
 * Reads a topic as somebody else's program does, from the mirror's answers and the files alone: written from the description of the
 * format, and not with the code under test. Proofs are verified by an independent library, with keys and documents that were read before.
 */
import { createHash } from 'node:crypto';
import { contextsOf } from '@blockwork/linked-data';
import { contexts as ofCredentials } from '@digitalbazaar/credentials-context';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { Ed25519Signature2018 } from '@digitalbazaar/ed25519-signature-2018';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { CredentialIssuancePurpose, verify, verifyCredential } from '@digitalbazaar/vc';
import type { JsonObject } from '@blockwork/core';
import { base58 } from '@scure/base';
import { fileBlocks } from './file-blocks.js';

interface Row {
  readonly consensus_timestamp: string;
  readonly message: string;
  readonly chunk_info: {
    readonly initial_transaction_id: { readonly transaction_valid_start: string };
    readonly total: number;
  };
}

export interface ReadMessage {
  readonly id: string;
  readonly type: string;
  readonly content: JsonObject;
  /** The file that it names; `null` for a message without one. */
  readonly document: JsonObject | null;
}

/** `mirror` answers paths below `/api/v1/`, `files` are by CID. In the order of the topic. */
export function readTopic(
  topic: string,
  mirror: (path: string) => { readonly body: string },
  files: ReadonlyMap<string, Uint8Array>,
): ReadMessage[] {
  const pieces = new Map<string, Row[]>();
  for (let after = 0; ; after += 100) {
    const { body } = mirror(`topics/${topic}/messages?limit=100&order=asc&sequencenumber=gt:${String(after)}`);
    const { messages } = JSON.parse(body) as { messages: Row[] };
    for (const row of messages) {
      const start = row.chunk_info.initial_transaction_id.transaction_valid_start;
      pieces.set(start, [...(pieces.get(start) ?? []), row]);
    }
    if (messages.length < 100) break;
  }
  return [...pieces.values()].map((rows) => {
    const [first] = rows;
    if (first?.chunk_info.total !== rows.length) throw new Error('A message lacks a piece.');
    const text = rows.map(({ message }) => Buffer.from(message, 'base64').toString('ascii')).join('');
    const content = JSON.parse(text) as JsonObject;
    const { type, cid } = content as { readonly type: string; readonly cid?: string };
    const file = cid === undefined ? null : fileAt(cid, files);
    // The file of a policy is an archive.
    const document = file === null || type === 'Instance-Policy' ? null : (JSON.parse(file.toString()) as JsonObject);
    return { id: first.consensus_timestamp, type, content, document };
  });
}

function fileAt(cid: string, files: ReadonlyMap<string, Uint8Array>): Buffer {
  const file = files.get(cid);
  if (file === undefined) throw new Error(`There is no file ${cid}.`);
  if (fileBlocks(file).root !== cid) throw new Error(`The file ${cid} is another one.`);
  return Buffer.from(file);
}

/** Who bundles credentials signs them as an issuer does, with proofs that know no other purpose. */
class HolderPurpose extends CredentialIssuancePurpose {
  override validate(proof: unknown, options: { readonly document: JsonObject }): Promise<unknown> {
    const document = { ...options.document, issuer: options.document['holder'] ?? null };
    return super.validate(proof, { ...options, document });
  }
}

/** What the reader knows so far. */
export class Reader {
  readonly #keys = new Map<string, string>();

  constructor(private readonly now: () => number) {}

  /** DIDs with a key. */
  get dids(): string[] {
    return [...this.#keys.keys()];
  }

  /** The key of a DID whose document was read. */
  keyOf(did: string): Uint8Array {
    const key = this.#keys.get(did);
    if (key === undefined) throw new Error(`The key of ${did} was not read.`);
    return base58.decode(key);
  }

  /** Takes the key of a DID from its document, if the hash in the DID is that of the key. */
  learn(document: JsonObject): void {
    const did = document['id'] as string;
    const [method] = document['verificationMethod'] as { id: string; publicKeyBase58: string }[];
    const key = base58.decode(method?.publicKeyBase58 ?? '');
    const hash = base58.encode(createHash('sha256').update(key).digest());
    if (method?.id !== `${did}#did-root-key` || !did.includes(`:${hash}_`)) throw new Error(`No key proves ${did}.`);
    this.#keys.set(did, method.publicKeyBase58);
  }

  /** Whether the library accepts the document with what was read before it. */
  async accepts(document: JsonObject): Promise<boolean> {
    const { type } = document['proof'] as { type: string };
    const isLinked = type === 'Ed25519Signature2018';
    const tools = {
      suite: isLinked ? new Ed25519Signature2018() : new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() }),
      documentLoader: this.#loader(document, isLinked),
      now: new Date(this.now()),
    };
    const whole = structuredClone(document);
    if (!JSON.stringify(document['type']).includes('VerifiablePresentation'))
      return (await verifyCredential({ credential: whole, ...tools })).verified;
    const purpose = isLinked ? { challenge: '123' } : { presentationPurpose: new HolderPurpose() };
    return (await verify({ presentation: whole, ...purpose, ...tools })).verified;
  }

  #loader(whole: JsonObject, isLinked: boolean) {
    return async (url: string): Promise<unknown> => {
      const context = ofCredentials.get(url) ?? (await contextsOf(whole, [])).get(url);
      if (context !== undefined) return { documentUrl: url, contextUrl: null, document: context };
      const [did = ''] = url.split('#');
      const key = this.#keys.get(did);
      if (key === undefined) throw new Error(`The key of ${did} was not read.`);
      const id = `${did}#did-root-key`;
      const multikey = `z${base58.encode(Uint8Array.of(0xed, 1, ...base58.decode(key)))}`;
      const method = isLinked
        ? {
            '@context': 'https://w3id.org/security/suites/ed25519-2018/v1',
            ...{ id, type: 'Ed25519VerificationKey2018', controller: did, publicKeyBase58: key },
          }
        : {
            '@context': 'https://w3id.org/security/multikey/v1',
            ...{ id, type: 'Multikey', controller: did, publicKeyMultibase: multikey },
          };
      const identity = {
        '@context': 'https://www.w3.org/ns/did/v1',
        ...{ id: did, verificationMethod: [method], authentication: [id], assertionMethod: [id] },
      };
      return { documentUrl: url, contextUrl: null, document: url === id ? method : identity };
    };
  }
}
