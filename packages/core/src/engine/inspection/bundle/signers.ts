/** Those who signed what is in a bundle: their keys, and their roles with the credentials that prove them. */
import type { OpenPolicy } from '../../../catalog/index.js';
import { identityDocument, isCredential, publishedRootDocument } from '../../../credentials/index.js';
import { BlockworkError } from '../../../errors.js';
import { allOf, equalTo, INSTANCE, isObject } from '../../../records/index.js';
import type { DocumentRecord, JsonObject, LedgerMessage, Membership } from '../../../records/index.js';
import type { RecordReader } from '../../../transactions/index.js';
import { signerOf } from '../trust-chain.js';
import type { BundledIdentity, BundledRole } from './proof-bundle.js';

/** Maximum documents, messages and roles in one bundle. */
export const BUNDLE_LINKS = 1_000;

export const tooLarge = (): BlockworkError =>
  new BlockworkError('BUNDLE_TOO_LARGE', { facts: { limit: BUNDLE_LINKS } });

interface SignersDeps {
  readonly store: RecordReader;
  readonly limits: { readonly pageBytes: number };
}

export interface Links {
  readonly messages: readonly LedgerMessage[];
  readonly documents: readonly DocumentRecord[];
}

/** The documents of these messages. Throws `BUNDLE_TOO_LARGE`. */
export async function documentsAt(
  { store, limits }: SignersDeps,
  policyId: string,
  messageIds: readonly string[],
): Promise<DocumentRecord[]> {
  if (messageIds.length === 0) return [];
  const where = { path: 'messageId', op: 'in', value: messageIds } as const;
  const order = { path: 'messageId', direction: 'asc' } as const;
  const range = { limit: BUNDLE_LINKS + 1, bytes: limits.pageBytes };
  const documents = await store.find('document', policyId, { where, order, ...range });
  if (documents.length > BUNDLE_LINKS) throw tooLarge();
  return documents;
}

interface Signers {
  readonly identities: readonly BundledIdentity[];
  readonly roles: readonly BundledRole[];
  /** The credentials of the roles. */
  readonly proofs: Links;
}

/**
 * Also those who signed the credentials of roles, and the members behind devices. Roles that were lost meanwhile are among
 * them, since their credentials stay.
 */
export async function signersOf(
  deps: SignersDeps,
  { id: policyId, record }: OpenPolicy,
  documents: readonly DocumentRecord[],
): Promise<Signers> {
  const { store } = deps;
  const identities: BundledIdentity[] = [];
  const roles: BundledRole[] = [];
  const proofs = new Map<string, DocumentRecord>();
  const asked = new Set<string>();
  for (let signers = [record.owner, ...documents.flatMap(signersIn)]; signers.length > 0;) {
    const fresh = [...new Set(signers)].filter((did) => !asked.has(did));
    for (const did of fresh) asked.add(did);
    const batch = await identitiesOf(store, policyId, fresh);
    identities.push(...batch);
    const credentials = await roleCredentials(deps, policyId, fresh);
    for (const each of credentials) proofs.set(each.id, each);
    const proven = credentials.map(provenRole);
    const messages = new Set(proven.map(({ messageId }) => messageId));
    const memberships = await membershipsOf(store, policyId, fresh);
    roles.push(...proven, ...memberships.filter(({ messageId }) => !messages.has(messageId)).map(statedRole));
    if (roles.length > BUNDLE_LINKS) throw tooLarge();
    signers = [...credentials.flatMap(signersIn), ...batch.flatMap(({ keys }) => keys.map(({ member }) => member))];
  }
  const among = new Set(documents.map(({ id }) => id));
  const own = [...proofs.values()].filter(({ id }) => !among.has(id));
  return { identities, roles, proofs: { documents: own, messages: await messagesOf(store, policyId, own) } };
}

/** The published credentials of roles that these identities ever took. */
async function roleCredentials(
  { store, limits }: SignersDeps,
  policyId: string,
  dids: readonly string[],
): Promise<DocumentRecord[]> {
  const where = allOf(equalTo('type', 'user-role'), { path: 'owner', op: 'in', value: dids });
  const credentials = await store.find('document', policyId, {
    where,
    limit: BUNDLE_LINKS + 1,
    bytes: limits.pageBytes,
  });
  if (credentials.length > BUNDLE_LINKS) throw tooLarge();
  return credentials.filter(({ messageId, document }) => messageId && subjectOf(document).type === 'UserRole');
}

async function membershipsOf(store: RecordReader, policyId: string, dids: readonly string[]): Promise<Membership[]> {
  const where = { path: 'did', op: 'in', value: dids } as const;
  return store.find('membership', policyId, { where, limit: BUNDLE_LINKS + 1 });
}

async function messagesOf(
  store: RecordReader,
  policyId: string,
  documents: readonly DocumentRecord[],
): Promise<LedgerMessage[]> {
  const ids = documents.flatMap(({ messageId }) => messageId ?? []);
  return ids.length === 0
    ? []
    : store.find('ledger-message', policyId, { where: { path: 'id', op: 'in', value: ids } });
}

function provenRole({ owner, group, messageId, document }: DocumentRecord): BundledRole {
  const { role } = subjectOf(document);
  const { issuanceDate } = document;
  return {
    did: owner,
    role: typeof role === 'string' ? role : '',
    group: group ?? '',
    since: typeof issuanceDate === 'string' ? issuanceDate : '',
    ...(messageId ? { messageId } : {}),
  };
}

/** A role without a credential. */
const statedRole = ({ did, role, uuid, createDate }: Membership): BundledRole => ({
  did,
  role,
  group: uuid,
  since: createDate,
});

function subjectOf({ credentialSubject }: JsonObject): JsonObject {
  const [subject] = Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject];
  return isObject(subject) ? subject : {};
}

/** Also of the credentials in a presentation, which may never have been stored by themselves. */
function signersIn(document: DocumentRecord): string[] {
  const inner = credentialsIn(document.document).map((credential) => signerOf({ document: credential }));
  return [signerOf(document), ...inner].filter((did) => did !== undefined);
}

/** The credentials of a presentation. */
export function credentialsIn({ verifiableCredential: credentials = [] }: JsonObject): JsonObject[] {
  return (Array.isArray(credentials) ? credentials : [credentials]).filter(isCredential);
}

async function identitiesOf(
  store: RecordReader,
  policyId: string,
  dids: readonly string[],
): Promise<BundledIdentity[]> {
  return Promise.all(
    dids.map(async (did) => {
      const [document, keys] = await Promise.all([
        identityDocument(store, did).then((stored) => stored ?? publishedRootDocument(store, policyId, did)),
        store.find('identity-key', INSTANCE, { where: equalTo('did', did) }),
      ]);
      const registered = keys.map(({ id: key, member, createDate, revokeDate }) => ({
        key,
        member,
        createDate,
        ...(revokeDate !== undefined && { revokeDate }),
      }));
      return { did, ...(document !== undefined && { document }), keys: registered };
    }),
  );
}
