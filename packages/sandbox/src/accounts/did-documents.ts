/** DID documents that a registry brings along: what is wrong with one, and whether keys are those that it names. */
import { isObject } from '@blockwork/core/records';
import { createPrivateKey, createPublicKey } from 'node:crypto';

interface Method {
  readonly id: string;
  readonly type: string;
  readonly publicKey: Uint8Array | undefined;
}

export interface DocumentVerdict {
  readonly valid: boolean;
  readonly error: string;
  /** The keys that it names, by type. */
  readonly keys: Readonly<Record<string, readonly { readonly name: string; readonly id: string }[]>>;
}

export function documentVerdict(document: unknown): DocumentVerdict {
  const fault = faultOf(document);
  const keys: Record<string, { name: string; id: string }[]> = {};
  for (const { id, type } of fault === '' ? methodsOf(document) : []) {
    (keys[type] ??= []).push({ name: id.split('#').at(-1) ?? id, id });
  }
  return { valid: fault === '', error: fault, keys };
}

function faultOf(document: unknown): string {
  if (!isObject(document)) return 'The document is no object.';
  const { id, verificationMethod } = document;
  if (typeof id !== 'string' || !/^did:[a-z0-9]+:\S+$/.test(id)) return 'The document has no DID as its id.';
  if (!Array.isArray(verificationMethod) || verificationMethod.length === 0)
    return 'The document names no keys: verificationMethod is missing.';
  const methods = methodsOf(document);
  if (methods.length !== verificationMethod.length) return 'A verificationMethod has no id or type.';
  const foreign = methods.find((method) => !method.id.startsWith(`${id}#`));
  return foreign === undefined ? '' : `The key ${foreign.id} is not one of ${id}.`;
}

function methodsOf(document: unknown): Method[] {
  const list: unknown = isObject(document) ? document['verificationMethod'] : [];
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((method) => {
    if (!isObject(method)) return [];
    const { id, type, publicKeyBase58: text } = method;
    if (typeof id !== 'string' || typeof type !== 'string') return [];
    return [{ id, type, publicKey: typeof text === 'string' ? base58(text) : undefined }];
  });
}

/** Ed25519 only: the seed, with or without the public key behind it, in base58. */
export function isKeyOf(document: unknown, id: string, key: string): boolean {
  const method = methodsOf(document).find((each) => each.id === id);
  const seed = base58(key)?.subarray(0, 32);
  if (method?.publicKey === undefined || seed?.length !== 32) return false;
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return raw.equals(method.publicKey);
}

/** What stands before the seed of an Ed25519 key (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `undefined` for other letters, and for more than any key has. */
function base58(text: string): Uint8Array | undefined {
  if (text.length > 200) return undefined;
  let value = 0n;
  for (const letter of text) {
    const digit = letters.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
}
