/** Signatures over texts: compact JWS (RFC 7515) with Ed25519 (RFC 8037), through jose. */
import type { KeyObject } from 'node:crypto';

const ALGORITHM = 'EdDSA';
/** Distinguishes these messages from everything else that the same key may sign. */
const TYPE = 'blockwork-message+jws';

export interface Signatures {
  /** The text with its signature; `keyId` identifies the key. */
  sign(text: string, keyId: string, key: KeyObject): Promise<string>;
  /** The text, if the signature is of this key; throws otherwise. */
  verify(signed: string, key: KeyObject): Promise<string>;
}

/** Loaded with the first message: most engines send none. */
const jose = () => import('jose');

export const joseSignatures: Signatures = {
  async sign(text, keyId, key) {
    const { CompactSign } = await jose();
    const bytes = new TextEncoder().encode(text);
    return new CompactSign(bytes).setProtectedHeader({ alg: ALGORITHM, kid: keyId, typ: TYPE }).sign(key);
  },
  async verify(signed, key) {
    const { compactVerify } = await jose();
    const { payload, protectedHeader } = await compactVerify(signed, key, { algorithms: [ALGORITHM] });
    if (protectedHeader.typ !== TYPE) throw new TypeError(`The header has the type ${String(protectedHeader.typ)}.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  },
};

/** The id of the key that the text claims to be signed with; `undefined` if it is not signed text. Verifies nothing. */
export function keyIdOf(signed: string): string | undefined {
  const [header = '', payload, signature, ...rest] = signed.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  try {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown };
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
