/** A block's access to its policy's data: documents, members, definitions and users. */
import type { PolicyUser } from '../access/index.js';
import type {
  ArtifactRecord,
  Condition,
  DocumentInput,
  DocumentRecord,
  Membership,
  Order,
  PolicyGroup,
  SchemaRecord,
  TokenRecord,
} from '../records/index.js';
import type { EventData } from './event.js';
import type { DocumentRow, Selection } from './selection.js';

export interface DocumentReader {
  /**
   * The document with this id, whoever owns it.
   *
   * @example
   * const reading = await ctx.documents.get(documentId);
   * if (reading?.owner !== ctx.user.did) ctx.fail('INPUT_INVALID', { facts: { reason: 'The reading is not yours.' } });
   */
  get(id: string): Promise<DocumentRecord | undefined>;
  /**
   * Documents that match the condition, in insertion order unless `range` specifies another.
   *
   * @example
   * const where = { path: 'document.meter', op: 'eq', value: reading.meter } as const;
   * const order = { path: 'createDate', direction: 'desc' } as const;
   * const [latest] = await ctx.documents.find(where, { order, limit: 1 });
   */
  find(where: Condition, range?: DocumentRange & { readonly order?: Order }): Promise<DocumentRecord[]>;
  /**
   * The documents a grid shows: each document of the selection once, with the tag of its source.
   *
   * @example
   * const rows = await ctx.documents.rows(selection, { offset: 20, limit: 10 });
   * const shown = rows.map(({ id, __sourceTag__, document }) => ({ id, source: __sourceTag__, document }));
   */
  rows(selection: Selection, range?: DocumentRange): Promise<DocumentRow[]>;
  /**
   * The number of documents that a grid shows.
   *
   * @example const pages = Math.ceil((await ctx.documents.count(selection)) / 10);
   */
  count(selection: Selection): Promise<number>;
  /**
   * Past values of `option` and when each took effect, oldest first; the last entry is the current one.
   *
   * @example
   * const states = await ctx.documents.history(certificate);
   * const approvedOn = states.find(({ option }) => option['status'] === 'Approved')?.created;
   */
  history(document: DocumentRecord): Promise<PastState[]>;
}

export interface DocumentRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** A past state of a document: its `option`, its comment if any, and when it took effect. */
export interface PastState {
  readonly option: DocumentRecord['option'];
  readonly comment?: string;
  readonly created: string;
}

export interface DocumentWriter extends DocumentReader {
  /**
   * Adds a document and fills in missing members. `DOCUMENT_EXISTS` if the id is taken.
   *
   * @example
   * const subject = { type: 'Certificate', mWh: reading.kWh / 1000 };
   * const document = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject });
   * const certificate = await ctx.documents.add({ owner: ctx.user.did, type: 'certificate', document });
   */
  add(document: DocumentInput): Promise<DocumentRecord>;
  /**
   * Updates a stored document. A change of `option` is recorded in its history unless `inHistory` is `false`.
   *
   * @example await ctx.documents.update({ ...certificate, option: { ...certificate.option, status: 'Approved' } });
   */
  update(document: DocumentRecord, how?: { readonly inHistory?: boolean }): Promise<DocumentRecord>;
  /**
   * `DOCUMENT_UNKNOWN` if it does not exist.
   *
   * @example
   * const drafts = await ctx.documents.find({ path: 'type', op: 'eq', value: 'draft' });
   * for (const { id } of drafts) await ctx.documents.remove(id);
   */
  remove(id: string): Promise<void>;
}

export interface MembershipReader {
  /**
   * The current user's memberships, in order of creation.
   *
   * @example const roles = (await ctx.memberships.mine()).map(({ role }) => role);
   */
  mine(): Promise<Membership[]>;
  /**
   * All members of a group of this policy.
   *
   * @example
   * const colleagues = ctx.user.group === null ? [] : await ctx.memberships.inGroup(ctx.user.group);
   * const quorum = Math.ceil(colleagues.length / 2);
   */
  inGroup(uuid: string): Promise<Membership[]>;
  /**
   * All members with a role in this policy.
   *
   * @example const verifiers = (await ctx.memberships.all()).filter(({ role }) => role === 'Verifier');
   */
  all(): Promise<Membership[]>;
}

export interface MembershipWriter extends MembershipReader {
  /**
   * Gives the current user a role of the policy directly. `ROLE_TAKEN` if they already hold it. The new membership
   * becomes active unless another one is. Returns the user with the new membership.
   *
   * @example
   * const verifier = await ctx.memberships.takeRole('Verifier');
   * ctx.emit('RefreshEvent', null, { user: verifier });
   */
  takeRole(role: string): Promise<PolicyUser>;
  /**
   * The current user creates or joins a group, as its template defines; `label` names a newly created group. Otherwise
   * like `takeRole`.
   *
   * @example
   * const group = ctx.policy.groups.find(({ name }) => name === 'Installers');
   * if (group !== undefined) await ctx.memberships.enterGroup(group, 'North Solar');
   */
  enterGroup(group: PolicyGroup, label?: string): Promise<PolicyUser>;
  /**
   * Creates a single-use invitation to a group of this policy and returns its id.
   *
   * @example
   * const invitation = await ctx.memberships.invite(group, 'Verifier');
   * return { invitation };
   */
  invite(group: string, role: string): Promise<string>;
  /**
   * The current user accepts an invitation. `INVITATION_UNKNOWN` if it does not exist or is used; otherwise like
   * `takeRole`.
   *
   * @example
   * const member = await ctx.memberships.join(invitation);
   * ctx.emit('RefreshEvent', null, { user: member });
   */
  join(invitation: string): Promise<PolicyUser>;
  /**
   * Removes a member from a group. `MEMBERSHIP_UNKNOWN` if they are not a member.
   *
   * @example
   * const { role } = await ctx.memberships.remove(group, did);
   * await ctx.notifications.send([did], { title: 'Group', message: `You are no longer its ${role}.` });
   */
  remove(group: string, did: string): Promise<Membership>;
  /**
   * Records the ledger message that proves a membership.
   *
   * @example
   * const { id } = await ctx.ledger.publish({ topic: 'root', type: 'role-document', owner: ctx.user.did });
   * for (const membership of await ctx.memberships.mine()) await ctx.memberships.prove(membership, id);
   */
  prove(membership: Membership, messageId: string): Promise<void>;
}

export interface DefinitionReader {
  /**
   * A schema by its IRI.
   *
   * @example
   * const schema = await ctx.definitions.schema(ctx.options.schema);
   * const fields = Object.keys(schema?.document?.['properties'] ?? {});
   */
  schema(iri: string): Promise<SchemaRecord | undefined>;
  /**
   * All schemas of the policy.
   *
   * @example const choices = (await ctx.definitions.schemas()).map(({ id, name }) => ({ value: id, label: name }));
   */
  schemas(): Promise<SchemaRecord[]>;
  /**
   * A token by its id.
   *
   * @example
   * const token = await ctx.definitions.token(ctx.options.tokenId);
   * const heading = `Certificates in ${token?.tokenSymbol ?? ctx.options.tokenId}`;
   */
  token(tokenId: string): Promise<TokenRecord | undefined>;
  /**
   * A file by its uuid.
   *
   * @example
   * const table = await ctx.definitions.artifact(fileId);
   * const factors: unknown = JSON.parse(Buffer.from(table?.content ?? '', 'base64').toString());
   */
  artifact(uuid: string): Promise<ArtifactRecord | undefined>;
}

export interface UserReader {
  /**
   * Any identity as a user of this policy, in the given group or in their active one.
   *
   * @example
   * const owner = await ctx.users.as(certificate.owner, certificate.group);
   * const isStillInstaller = owner.role === 'Installer';
   */
  as(did: string, group?: string | null): Promise<PolicyUser>;
  /**
   * The user with this state key.
   *
   * @example
   * const votes = await ctx.entries.find();
   * const voters = await Promise.all(votes.map(({ key }) => ctx.users.byKey(key)));
   */
  byKey(key: string): Promise<PolicyUser>;
  /**
   * The user that a link with this actor runs as: owner or issuer of the (first) document, otherwise the current user.
   *
   * @example
   * const issuer = await ctx.users.actor('issuer', certificate);
   * const isOwn = issuer.did === ctx.user.did;
   */
  actor(actor: 'owner' | 'issuer' | '' | null | undefined, data: EventData): Promise<PolicyUser>;
  /**
   * The identity's ledger account; `null` if it has none.
   *
   * @example
   * const account = await ctx.users.account(certificate.owner);
   * const isPayable = account !== null;
   */
  account(did: string): Promise<string | null>;
  /**
   * Whether the identity is a device registered by the member whose key is not revoked.
   *
   * @example
   * const reason = `${reading.meter} is not one of your meters.`;
   * if (!(await ctx.users.isDeviceOf(reading.meter, ctx.user.did))) ctx.fail('INPUT_INVALID', { facts: { reason } });
   */
  isDeviceOf(device: string, member: string): Promise<boolean>;
  /**
   * Display name of an identity; the DID itself if none is known.
   *
   * @example const issuedTo = await ctx.users.nameOf(certificate.owner);
   */
  nameOf(did: string): Promise<string>;
}
