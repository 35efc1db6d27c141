/** Proofs of the suite `Ed25519Signature2018`: a detached signature (RFC 7797) over hashes of linked data. */
import { isObject, type Json, type JsonObject, parsedJson } from '../json.js';
import { SIGNATURE_BYTES } from './multikey.js';

/** Hashes parts of a document as linked data; rejects with the reason. */
export type LinkedHash = (parts: readonly JsonObject[], document: JsonObject) => Promise<readonly Uint8Array[]>;

export const LINKED_PROOF = 'Ed25519Signature2018';

/** The bytes that are signed, or why there are none. */
export async function linkedBytes(
  header: string,
  options: JsonObject,
  document: JsonObject,
  hash: LinkedHash,
): Promise<Uint8Array<ArrayBuffer> | string> {
  try {
    const withContext = { '@context': document['@context'] ?? null, ...options };
    const start = new TextEncoder().encode(`${header}.`);
    const hashes = await hash([withContext, document], document);
    return Uint8Array.from([start, ...hashes].flatMap((bytes) => [...bytes]));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface DetachedSignature {
  /** As it was signed. */
  readonly header: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** `undefined` if it is not such a signature, or not written canonically. */
export function fromJws(jws: Json | undefined): DetachedSignature | undefined {
  if (typeof jws !== 'string' || jws.length > 500) return undefined;
  const [, header = '', text = ''] = /^([\w-]+)\.\.([\w-]+)$/.exec(jws) ?? [];
  const [headerBytes, signature] = [fromBase64Url(header), fromBase64Url(text)];
  if (headerBytes === undefined || signature?.length !== SIGNATURE_BYTES) return undefined;
  return isHeader(new TextDecoder().decode(headerBytes)) ? { header, signature } : undefined;
}

function isHeader(text: string): boolean {
  const read = parsedJson(text);
  if (!isObject(read)) return false;
  const { alg, b64, crit, ...others } = read;
  return alg === 'EdDSA' && b64 === false && JSON.stringify(crit) === '["b64"]' && Object.keys(others).length === 0;
}

/** `undefined` if another text has the same bytes. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    return again === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}
