/** Signatures over texts: compact JWS (RFC 7515) with Ed25519 (RFC 8037). */
import { sign, verify, type KeyObject } from 'node:crypto';
import { isObject } from '../../records/index.js';

const ALGORITHM = 'EdDSA';
/** Distinguishes these messages from everything else that the same key may sign. */
const TYPE = 'blockwork-message+jws';

export interface Signatures {
  /** The text with its signature; `keyId` identifies the key. */
  sign(text: string, keyId: string, key: KeyObject): Promise<string>;
  /** The text, if the signature is of this key; rejects otherwise. */
  verify(signed: string, key: KeyObject): Promise<string>;
}

/**
 * Signs and verifies on the calling thread: an Ed25519 signature takes less time there than handing it over to another
 * thread and back takes. Async, so that a failure rejects.
 */
export const jwsSignatures: Signatures = {
  async sign(text, keyId, key) {
    const header = JSON.stringify({ alg: ALGORITHM, kid: keyId, typ: TYPE });
    const input = `${toBase64(header)}.${toBase64(text)}`;
    return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
  },

  async verify(signed, key) {
    const { header, payload, signature, input } = partsOf(signed);
    const { alg, typ, crit } = headerOf(header);
    if (alg !== ALGORITHM) throw new TypeError(`The header has the "alg" ${String(alg)}.`);
    // Extensions that must be understood, of which none is.
    if (crit !== undefined) throw new TypeError('The header has a "crit".');
    const bytes = Buffer.from(signature, 'base64url');
    const isGood = bytes.toString('base64url') === signature && verify(null, Buffer.from(input), key, bytes);
    if (!isGood) throw new TypeError('The signature verification failed.');
    if (typ !== TYPE) throw new TypeError(`The header has the type ${String(typ)}.`);
    return utf8.decode(Buffer.from(payload, 'base64url'));
  },
};

/** The id of the key that the text claims to be signed with; `undefined` if it is not signed text. Verifies nothing. */
export function keyIdOf(signed: string): string | undefined {
  try {
    const { kid } = headerOf(partsOf(signed).header);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const toBase64 = (text: string): string => Buffer.from(text).toString('base64url');

/** `input`: what is signed. Throws if it is not three parts. */
function partsOf(signed: string): { header: string; payload: string; signature: string; input: string } {
  const [header = '', payload, signature, ...rest] = signed.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0)
    throw new TypeError('It has not three parts.');
  return { header, payload, signature, input: signed.slice(0, -signature.length - 1) };
}

function headerOf(part: string): Record<string, unknown> {
  const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  if (!isObject(header)) throw new TypeError('The header is no object.');
  return header;
}
