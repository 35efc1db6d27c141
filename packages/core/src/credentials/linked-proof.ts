/** Proofs of the suite `Ed25519Signature2018`: a detached signature (RFC 7797) over hashes of linked data. */
import { isObject, type Json, type JsonObject } from '../records/index.js';

/** Hashes parts of a document as linked data. Rejects with `CREDENTIAL_INVALID` for what cannot be read as such. */
export type LinkedHash = (parts: readonly JsonObject[], document: JsonObject) => Promise<readonly Uint8Array[]>;

export const LINKED_PROOF = 'Ed25519Signature2018';

export const hasLinkedProof = ({ proof }: JsonObject): boolean => isObject(proof) && proof.type === LINKED_PROOF;

const HEADER = { alg: 'EdDSA', b64: false, crit: ['b64'] };
const SIGNATURE_BYTES = 64;

/** What is signed. `options` is the proof without its signature; they have the contexts of the document. */
export async function linkedBytes(
  header: string,
  options: JsonObject,
  document: JsonObject,
  hash: LinkedHash,
): Promise<Uint8Array> {
  const withContext = { '@context': document['@context'] ?? null, ...options };
  const hashes = await hash([withContext, document], document);
  return Buffer.concat([Buffer.from(`${header}.`, 'ascii'), ...hashes]);
}

export const linkedHeader = (): string => Buffer.from(JSON.stringify(HEADER)).toString('base64url');

export const toJws = (header: string, signature: Uint8Array): string =>
  `${header}..${Buffer.from(signature).toString('base64url')}`;

/** The header as it was signed, and the signature; `undefined` if it is not such a signature, or not written canonically. */
export function fromJws(
  jws: Json | undefined,
): { readonly header: string; readonly signature: Uint8Array } | undefined {
  if (typeof jws !== 'string' || jws.length > 500) return undefined;
  const [, header = '', text = ''] = /^([\w-]+)\.\.([\w-]+)$/.exec(jws) ?? [];
  const [headerBytes, signature] = [Buffer.from(header, 'base64url'), Buffer.from(text, 'base64url')];
  const isCanonical = toJws(headerBytes.toString('base64url'), signature) === jws;
  if (!isCanonical || signature.length !== SIGNATURE_BYTES || !isHeader(headerBytes.toString())) return undefined;
  return { header, signature };
}

/** Members of the header in any order. */
function isHeader(text: string): boolean {
  try {
    const { alg, b64, crit, ...others } = JSON.parse(text) as Record<string, unknown>;
    const read = JSON.stringify({ alg, b64, crit });
    return read === JSON.stringify(HEADER) && Object.keys(others).length === 0;
  } catch {
    return false;
  }
}
