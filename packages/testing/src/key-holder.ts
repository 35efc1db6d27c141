/** The holder of a private key outside the engine: a user with a `did:key`, or a device. */
import { SeededKeys, type Clock, type JsonObject } from '@blockwork/core';
import { createProof, toDidKey } from '@blockwork/core/adapter';
import { isoNow } from '@blockwork/core/block';
import { createHash } from 'node:crypto';
import type { UnsignedCredential } from './policy-bench/signed-credential.js';

export interface KeyHolder {
  /** The `did:key` of the key. */
  readonly did: string;
  /** The key as a multikey, by which `engine.identities` names it. */
  readonly key: string;
  /** Adds a valid proof by this key. The issuer is the holder unless the credential names another, or one in the name of a group. */
  sign(
    credential: Omit<Partial<UnsignedCredential>, 'issuer'> & { readonly issuer?: string | IssuerInGroup },
  ): Promise<JsonObject>;
  /** A credential that registers the key for a member: as the member's own if `did` is theirs, otherwise as a device. */
  registration(member: string, did?: string): Promise<JsonObject>;
}

/** An issuer as credentials name one who acts for a group. */
interface IssuerInGroup {
  readonly id: string;
  readonly group: string;
}

/** The same name has the same key. */
export async function keyHolder(name: string, clock: Clock): Promise<KeyHolder> {
  const keys = new SeededKeys(createHash('sha256').update(name).digest());
  const own = toDidKey(await keys.publicKey(name));
  const key = own.slice('did:key:'.length);
  const sign: KeyHolder['sign'] = async (credential) => {
    const created = isoNow(clock);
    const { issuer = own } = credential;
    const whole: JsonObject = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential'],
      issuanceDate: created,
      credentialSubject: [],
      ...credential,
      issuer: typeof issuer === 'string' ? issuer : { ...issuer },
    };
    const proof = await createProof(whole, {
      verificationMethod: `${typeof issuer === 'string' ? issuer : issuer.id}#${key}`,
      created,
      purpose: 'assertionMethod',
      sign: (bytes) => keys.sign(name, bytes),
    });
    return { ...whole, proof };
  };
  return {
    did: own,
    key,
    sign,
    registration: (member, did = own) =>
      sign({ issuer: did, credentialSubject: [{ id: member, type: 'KeyRegistration' }] }),
  };
}
