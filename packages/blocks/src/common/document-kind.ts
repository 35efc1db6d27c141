/** What a document is, by its own words: whatever a block's options call it. */
import { isObject, type JsonObject } from '@blockwork/core/block';

export type DocumentKind = 'vc' | 'vp' | 'did';

export function kindOf({
  type,
  credentialSubject,
  verifiableCredential,
  verificationMethod,
}: JsonObject): DocumentKind {
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('VerifiablePresentation') || verifiableCredential !== undefined) return 'vp';
  if (types.includes('VerifiableCredential') || credentialSubject !== undefined) return 'vc';
  return verificationMethod === undefined ? 'vc' : 'did';
}

/** Who signed a credential or presentation. */
export function signerOf({ issuer, holder }: JsonObject): string | undefined {
  const signer = issuer ?? holder;
  const id = isObject(signer) ? signer.id : signer;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
