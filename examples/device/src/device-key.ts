/** The key of a device: stored in a file that only the device can read, it signs credentials with the cryptosuite `eddsa-jcs-2022`. */
import { base58 } from '@scure/base';
import canonicalize from 'canonicalize';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

export type Credential = Readonly<Record<string, unknown>>;

/** Multicodec prefix of an Ed25519 public key. */
const ED25519 = [0xed, 0x01];

export class DeviceKey {
  /** Identifies the key and thus the device: `did:key:z6Mk...` */
  readonly did: string;

  private constructor(private readonly key: KeyObject) {
    const bytes = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
    this.did = `did:key:z${base58.encode(Uint8Array.of(...ED25519, ...bytes))}`;
  }

  /** Loads the key from the file, or creates both. */
  static async open(file: string): Promise<DeviceKey> {
    try {
      // `wx`: never overwrites an existing key.
      const { privateKey } = generateKeyPairSync('ed25519');
      await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return new DeviceKey(createPrivateKey(await readFile(file)));
  }

  /** Issues and signs a credential about the subject. */
  issue(subject: Credential): Credential {
    const created = new Date().toISOString();
    const context = ['https://www.w3.org/2018/credentials/v1'];
    const credential = {
      '@context': context,
      type: ['VerifiableCredential'],
      issuer: this.did,
      issuanceDate: created,
      credentialSubject: [subject],
    };
    const proof = {
      type: 'DataIntegrityProof',
      cryptosuite: 'eddsa-jcs-2022',
      created,
      verificationMethod: `${this.did}#${this.did.slice('did:key:'.length)}`,
      proofPurpose: 'assertionMethod',
      '@context': context,
    };
    const signature = sign(null, Buffer.concat([hashOf(proof), hashOf(credential)]), this.key);
    return { ...credential, proof: { ...proof, proofValue: `z${base58.encode(signature)}` } };
  }
}

/** Hash of the canonical JSON (RFC 8785). */
const hashOf = (value: object): Buffer =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest();
