/** The key of a device: it stays in a file that only the device reads, and signs credentials as the suite `eddsa-jcs-2022` says. */
import { base58 } from '@scure/base';
import canonicalize from 'canonicalize';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

export type Credential = Readonly<Record<string, unknown>>;

/** Says that 32 bytes of an Ed25519 key follow (multicodec). */
const ED25519 = [0xed, 0x01];

export class DeviceKey {
  /** Names the key, and so the device: `did:key:z6Mk...` */
  readonly did: string;

  private constructor(private readonly key: KeyObject) {
    const bytes = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
    this.did = `did:key:z${base58.encode(Uint8Array.of(...ED25519, ...bytes))}`;
  }

  /** The key in the file; a new one, where there is no file yet. */
  static async open(file: string): Promise<DeviceKey> {
    try {
      // `wx`: a key that is there is never written over.
      const { privateKey } = generateKeyPairSync('ed25519');
      await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return new DeviceKey(createPrivateKey(await readFile(file)));
  }

  /** A credential about the subject, issued and signed now. */
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

/** Of the one way to write a value as JSON (RFC 8785). */
const hashOf = (value: object): Buffer =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest();
