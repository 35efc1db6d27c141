/** The identity of this instance: its id, and the key it signs with. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject } from 'node:crypto';
import { checkOptions, invalidOption, valueTypes } from '../../options/index.js';
import { instanceName } from '../../records/index.js';

/** An Ed25519 key as JWK (RFC 8037); a private one has `d`. */
// A type and not an interface, so that it can be given where any member is expected; and of our own, since not every version of Node's types has one.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type Ed25519Jwk = { kty?: string; crv?: string; x?: string; d?: string };

export interface InstanceOptions {
  /** The name by which other instances know this one; unique among them. */
  readonly id: string;
  /** Ed25519 private key, as `KeyObject` or JWK (RFC 8037). */
  readonly key: KeyObject | Ed25519Jwk;
}

export interface InstanceIdentity {
  readonly id: string;
  readonly key: KeyObject;
}

/** Throws `OPTION_INVALID`. */
export function instanceIdentity(options: InstanceOptions): InstanceIdentity {
  checkOptions(options, { id: instanceId, key: valueTypes.object }, 'instance.');
  return { id: options.id, key: ed25519Key('instance.key', options.key, 'private') };
}

export const instanceId = valueTypes.satisfying<string>(
  (value) => instanceName.safeParse(value).success,
  'must be a text of 1 to 200 characters',
);

/** Throws `OPTION_INVALID` for anything but an Ed25519 key of that kind. */
export function ed25519Key(option: string, key: KeyObject | Ed25519Jwk, kind: 'private' | 'public'): KeyObject {
  const read = key instanceof KeyObject ? key : keyOf(option, key, kind);
  if (read.type === kind && read.asymmetricKeyType === 'ed25519') return read;
  throw invalidOption(option, `it must be an Ed25519 ${kind} key`);
}

function keyOf(option: string, key: Ed25519Jwk, kind: 'private' | 'public'): KeyObject {
  try {
    return kind === 'private' ? createPrivateKey({ key, format: 'jwk' }) : createPublicKey({ key, format: 'jwk' });
  } catch (cause) {
    throw invalidOption(option, `it must be an Ed25519 ${kind} key, as KeyObject or JWK`, cause);
  }
}

/** A new key pair as JWK: the private key for `instance.key`, the public key for peers. */
export function newInstanceKey(): { privateKey: Ed25519Jwk; publicKey: Ed25519Jwk } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey: privateKey.export({ format: 'jwk' }), publicKey: publicKey.export({ format: 'jwk' }) };
}
