/** The key of a device: an Ed25519 key that signs credentials with the cryptosuite `eddsa-jcs-2022`. */
import { base58 } from '@scure/base';
import canonicalize from 'canonicalize';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** Multicodec prefix of an Ed25519 public key. */
const ED25519 = [0xed, 0x01];
const context = ['https://www.w3.org/2018/credentials/v1'];

/** Loads the key from the file, or creates both. Only the user of this process can read it. */
export async function openKey(file) {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const key = createPrivateKey(await readFile(file));
  const bytes = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url');
  const did = `did:key:z${base58.encode(Uint8Array.of(...ED25519, ...bytes))}`;
  return { did, issue: (subject) => issued(subject, did, key) };
}

/** A credential about the subject, with the proof of the device. */
function issued(subject, did, key) {
  const created = new Date().toISOString();
  const credential = {
    '@context': context,
    type: ['VerifiableCredential'],
    issuer: did,
    issuanceDate: created,
    credentialSubject: [subject],
  };
  const proof = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created,
    verificationMethod: `${did}#${did.slice('did:key:'.length)}`,
    proofPurpose: 'assertionMethod',
    '@context': context,
  };
  const signature = sign(null, Buffer.concat([hashOf(proof), hashOf(credential)]), key);
  return { ...credential, proof: { ...proof, proofValue: `z${base58.encode(signature)}` } };
}

/** Hash of the canonical JSON (RFC 8785). */
const hashOf = (value) => createHash('sha256').update(canonicalize(value)).digest();
