/** Keys: who may sign with which, as the identities in the bundle say. */
import type { Identity } from '../contents/bundle.js';
import { toBase58 } from '../crypto/base58.js';
import { sha256 } from '../crypto/digest.js';
import { isDidKey, keyOfMultikey, multikeyOfBase58, multikeyOfDidKey } from '../crypto/multikey.js';
import { type KeyLookup, momentOf } from '../crypto/proof.js';
import { isObject, type JsonObject, listOf, memberOf } from '../json.js';
import { type Context, textAt } from './context.js';

export async function checkKeys({ bundle, findings, identities }: Context): Promise<void> {
  findings.check('keys', identities.size === bundle.identities.length, 'an identity is listed twice');
  for (const identity of bundle.identities) {
    const { did, document, keys } = identity;
    const problem = document === undefined ? null : await didDocumentProblem(did, document);
    findings.check('keys', problem === null, `the DID document of ${did} is not consistent: ${problem ?? ''}`);
    for (const { key, member, createDate, revokeDate } of keys) {
      const isSound =
        keyOfMultikey(key) !== undefined &&
        (!isDidKey(did) || key === multikeyOfDidKey(did)) &&
        momentOf(createDate) !== undefined &&
        (revokeDate === undefined || momentOf(revokeDate) !== undefined);
      findings.check('keys', isSound, `a registered key of ${did} is no key of it, or has no dates`);
      if (member !== did) {
        findings.leave('keys', `that ${did} is a device of ${member}: ask ${member}, who registered it`);
      }
    }
    // The DID is made of the key.
    const root = document !== undefined && isMadeOfKey(did, document) ? rootKeyIn(did, document) : undefined;
    const isProven = isDidKey(did) || (root !== undefined && keys.every(({ key }) => key === root));
    if (!isProven && (document !== undefined || keys.length > 0)) {
      findings.leave(
        'keys',
        `that ${keysOf(identity).join(', ')} ${keysOf(identity).length > 1 ? 'are keys' : 'is the key'} of ${did}: compare with the DID document that its owner gives out`,
      );
    }
  }
}

const keysOf = ({ document, keys }: Identity): string[] => [
  ...(document === undefined ? [] : methodsIn(document).map((method) => textAt(method, 'publicKeyMultibase'))),
  ...keys.map(({ key }) => key),
];

const methodsIn = (document: JsonObject): JsonObject[] =>
  listOf(memberOf(document, 'verificationMethod')).filter(isObject);

const HEDERA_DID = /^did:hedera:[a-z\d-]{1,40}:([1-9A-HJ-NP-Za-km-z]{32,44})_\d{1,9}\.\d{1,9}\.\d{1,18}$/;

const ROOT_KEY_TYPE = 'Ed25519VerificationKey2018';

/** Whether the document gives the key that the DID is made of; that of a member may have other keys, as that of any DID. */
const isMadeOfKey = (did: string, document: JsonObject): boolean =>
  HEDERA_DID.test(did) && methodsIn(document).some(({ type }) => type === ROOT_KEY_TYPE);

/** The multikey of the only key of a `did:hedera`, if its document has it. */
function rootKeyIn(did: string, document: JsonObject): string | undefined {
  const [method] = methodsIn(document);
  const isNamed = method?.id === `${did}#did-root-key` && method.type === ROOT_KEY_TYPE;
  return isNamed ? multikeyOfBase58(textAt(method, 'publicKeyBase58')) : undefined;
}

/** The DID has the hash of the key. */
async function hederaProblem(did: string, document: JsonObject): Promise<string | null> {
  const methods = methodsIn(document);
  const key = keyOfMultikey(rootKeyIn(did, document) ?? '');
  if (methods.length !== 1 || key === undefined) return 'its key is no Ed25519 key under the name did-root-key';
  if (methods[0]?.controller !== did) return 'another identity controls a key';
  if (HEDERA_DID.exec(did)?.[1] !== toBase58(await sha256(key))) return 'its key is not the one in the DID';
  const uses = ['assertionMethod', 'authentication'].map((use) => listOf(memberOf(document, use)));
  const names = ['#did-root-key', `${did}#did-root-key`];
  const isUsed = uses.every(
    (use) => use.length === 1 && use.every((id) => typeof id === 'string' && names.includes(id)),
  );
  return isUsed ? null : 'its keys are not for assertions and authentication alike';
}

/** The registered key whose hash is in the DID; empty for none. */
async function registeredRoot(did: string, identity: Identity | undefined): Promise<string> {
  for (const { key: multikey } of identity?.keys ?? []) {
    const key = keyOfMultikey(multikey);
    if (key !== undefined && HEDERA_DID.exec(did)?.[1] === toBase58(await sha256(key))) return multikey;
  }
  return '';
}

/** Why the keys of a DID document are not consistent; `null` if they are. */
export async function didDocumentProblem(did: string, document: JsonObject): Promise<string | null> {
  if (document.id !== did) return 'it is of another identity';
  if (isMadeOfKey(did, document)) return hederaProblem(did, document);
  const methods = methodsIn(document);
  const ids = methods.map((method) => textAt(method, 'id'));
  for (const method of methods) {
    const key = textAt(method, 'publicKeyMultibase');
    if (keyOfMultikey(key) === undefined) return 'a key is no Ed25519 key';
    if (method.type !== 'Multikey') return 'a key is of another type than Multikey';
    if (method.controller !== did) return 'another identity controls a key';
    if (method.id !== `${did}#${key}`) return 'a key is under the name of another';
    if (isDidKey(did) && key !== multikeyOfDidKey(did)) return 'its key is not the one in the DID';
  }
  const uses = ['assertionMethod', 'authentication'].map((use) => listOf(memberOf(document, use)));
  const isUsed = uses.every((use) => use.length === ids.length && ids.every((id, at) => use[at] === id));
  return isUsed ? null : 'its keys are not for assertions and authentication alike';
}

/** Looks up keys for what the identity signs. Dates matter only for keys that were revoked. */
export const keyLookup =
  ({ identities }: Pick<Context, 'identities'>, signer: string, purposes: readonly string[]): KeyLookup =>
  async ({ verificationMethod: method, purpose, created }) => {
    if (!purposes.includes(purpose)) return { reason: `its proof is not for the purpose ${purposes.join(' or ')}` };
    if (signer === '' || !method.startsWith(`${signer}#`))
      return { reason: 'its proof is not by the one who issued it' };
    const identity = identities.get(signer);
    const isRoot = method === `${signer}#did-root-key` && HEDERA_DID.test(signer);
    const root = isRoot && identity?.document ? rootKeyIn(signer, identity.document) : undefined;
    // Whoever registered it may have revoked it.
    if (root !== undefined && identity?.keys.every(({ key }) => key !== root)) return { multikey: root };
    const multikey = root ?? (isRoot ? await registeredRoot(signer, identity) : method.slice(signer.length + 1));
    // A did:key has no other key than the one that it consists of, whatever is registered.
    const isOwn = isDidKey(signer)
      ? multikey === multikeyOfDidKey(signer)
      : identity?.document !== undefined && methodsIn(identity.document).some(({ id }) => id === method);
    if (isOwn && !isDidKey(signer) && root === undefined) return { multikey };
    const registered = identity?.keys.find(({ key }) => key === multikey);
    if (!isOwn && (registered === undefined || isDidKey(signer)))
      return { reason: `the bundle has no such key of ${signer}` };
    const end = momentOf(registered?.revokeDate);
    const isRevoked = end !== undefined && (created === undefined || created >= end);
    return isRevoked ? { reason: 'its key was revoked before' } : { multikey };
  };
