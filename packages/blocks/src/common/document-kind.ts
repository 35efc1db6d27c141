/** The kind of a document, derived from its content and not from a block's options. */
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

/** The signer of a credential or presentation. */
export function signerOf({ issuer, holder }: JsonObject): string | undefined {
  const signer = issuer ?? holder;
  const id = isObject(signer) ? signer.id : signer;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
