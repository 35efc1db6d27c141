/** Signed credentials from outside the policy. */
import type { Clock, Json, JsonObject, Keys, PolicyStore } from '@blockwork/core';
import { createProof, signingIdentity } from '@blockwork/core/adapter';
import { isoNow } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';

/** A credential without a proof. Missing members of the data model are completed. */
export interface UnsignedCredential {
  readonly issuer: string;
  readonly credentialSubject: Json;
  readonly [member: string]: Json;
}

/** Signs for the issuer, whose identity is registered with the engine. */
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
