/** Credentials that come from outside of a policy's users, with a proof that verifies. */
import type { Clock, Json, JsonObject, Keys, PolicyStore } from '@blockwork/core';
import { createProof, signingIdentity } from '@blockwork/core/adapter';
import { isoNow } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';

/** A credential without a proof; what is missing of a whole one is filled in. */
export interface UnsignedCredential {
  readonly issuer: string;
  readonly credentialSubject: Json;
  readonly [member: string]: Json;
}

/** The credential with a proof by its issuer, whose identity is known to the engine from now on. */
export async function signedCredential(
  { store, keys, clock }: { store: PolicyStore; keys: Keys; clock: Clock },
  credential: UnsignedCredential,
): Promise<JsonObject> {
  const created = isoNow(clock);
  const { issuer } = credential;
  const { verificationMethod, sign, changed } = await signingIdentity(store, keys, issuer);
  if (changed !== undefined) {
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'identity', partition: INSTANCE, value: changed }] });
  }
  const whole: JsonObject = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential'],
    issuanceDate: created,
    ...credential,
  };
  const proof = await createProof(whole, { verificationMethod, created, purpose: 'assertionMethod', sign });
  return { ...whole, proof };
}
