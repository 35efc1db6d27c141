/** The parts of a report: each credential with its stored row, its issuer, and the issuer's name. */
import {
  asJson,
  type DocumentRecord,
  documentRow,
  isObject,
  type Json,
  type JsonObject,
  type LedgerMessage,
  type ReadContext,
} from '@blockwork/core/block';
import { signerOf } from '../common/document-kind.js';
import { credentialsIn, subjectOf } from '../common/subject.js';

/** `{vpDocument, mintDocument, impacts}` of a presentation. */
export async function presentationParts(ctx: ReadContext, row: DocumentRecord): Promise<JsonObject> {
  const { action, impacts } = partsOf(credentialsIn(row.document));
  const credentials = await heldBy(ctx, row);
  return {
    vpDocument: {
      type: 'VP',
      title: 'Verified Presentation',
      hash: row.hash ?? '',
      ...credentials,
      document: shown(ctx, row),
    },
    mintDocument: action === undefined ? null : { ...credentials, ...mintPart(ctx, row, action) },
    impacts: impacts.map((impact) => ({
      type: 'VC',
      ...members(impact, ['impactType', 'label', 'description', 'amount', 'unit', 'date']),
      ...credentials,
      document: bare(impact),
    })),
  };
}

export const credentialPart = async (ctx: ReadContext, row: DocumentRecord): Promise<JsonObject> => ({
  type: 'VC',
  title: 'Verifiable Credential',
  hash: row.hash ?? '',
  ...(await heldBy(ctx, row)),
  document: shown(ctx, row),
});

/** A report item's entry for one document; `issuer` is the signer. */
export async function itemDocument(ctx: ReadContext, row: DocumentRecord): Promise<JsonObject> {
  const issuer = signerOf(row.document) ?? null;
  const username = issuer === null ? null : await ctx.users.nameOf(issuer);
  return { tag: tagOf(row), issuer, username, document: shown(ctx, row) };
}

/** The policy as its owner published it; `null` for a draft, which is not published. */
export async function policyPart(ctx: ReadContext): Promise<JsonObject | null> {
  const message = await announcement(ctx);
  if (message === undefined || !isObject(message.body)) return null;
  const document = message.body;
  const issuer = signerOf(document) ?? ctx.policy.owner;
  return {
    type: 'VC',
    ...members(document, ['name', 'description', 'version']),
    tag: 'Policy Created',
    issuer,
    username: await ctx.users.nameOf(issuer),
    document: policyRow(ctx, message, document),
  };
}

/** A trial is published on its own ledger, and its policy does not know the message. */
async function announcement({ policy, ledger }: ReadContext): Promise<LedgerMessage | undefined> {
  const published = await ledger.message(policy.messageId);
  return published ?? (await ledger.messages({ path: 'type', op: 'eq', value: 'policy' })).at(-1);
}

/** Shaped as a stored document, which it is not: no grid shows it. */
function policyRow(
  { policy }: ReadContext,
  { id, hash, topicId, owner }: LedgerMessage,
  document: JsonObject,
): JsonObject {
  const date = document.issuanceDate ?? null;
  return {
    _id: id,
    id,
    dataType: 'vc-documents',
    type: 'POLICY',
    policyId: policy.id,
    owner,
    hash,
    option: { status: 'NEW' },
    hederaStatus: 'ISSUE',
    signature: 1,
    messageId: id,
    messageIds: [id],
    topicId,
    createDate: date,
    updateDate: date,
    document,
  };
}

function mintPart(ctx: ReadContext, row: DocumentRecord, action: JsonObject): JsonObject {
  const { amount = null, tokenId = null, date = null } = subjectOf(action) ?? {};
  const { tokenIds, wasTransferNeeded } = documentRow(ctx, row);
  return {
    type: 'VC',
    tokenId: Array.isArray(tokenIds) ? tokenIds.join(', ') : tokenId,
    date,
    expected: amount,
    amount,
    transferAmount: amount,
    wasTransferNeeded: wasTransferNeeded === true,
    document: bare(action),
  };
}

/** A credential that is in a presentation, and has no row of its own there. */
const bare = (document: JsonObject): JsonObject => ({
  owner: null,
  hash: null,
  type: null,
  policyId: null,
  tag: null,
  option: null,
  document,
});

async function heldBy(ctx: ReadContext, row: DocumentRecord): Promise<JsonObject> {
  return { tag: tagOf(row), issuer: row.owner, username: await ctx.users.nameOf(row.owner) };
}

const shown = (ctx: ReadContext, row: DocumentRecord): Json => asJson(documentRow(ctx, row));

const tagOf = ({ tag }: DocumentRecord): string => (typeof tag === 'string' ? tag : '');

const members = (credential: JsonObject, names: readonly string[]): JsonObject => {
  const subject = subjectOf(credential) ?? {};
  return Object.fromEntries(names.map((name) => [name, subject[name] ?? null]));
};

interface PresentationParts {
  /** The credential of the mint or retirement: the last one, if it names a token. */
  readonly action: JsonObject | undefined;
  readonly impacts: readonly JsonObject[];
  /** Credentials behind the action that are in the presentation itself. */
  readonly sources: readonly JsonObject[];
  /** Ids of documents behind the action that are stored elsewhere. */
  readonly dataSource: readonly string[];
  /** Ids of further presentations that it references. */
  readonly relationships: readonly string[];
}

export function partsOf(credentials: readonly JsonObject[]): PresentationParts {
  const last = credentials.at(-1);
  const action = last !== undefined && subjectOf(last)?.tokenId !== undefined ? last : undefined;
  const others = action === undefined ? credentials : credentials.slice(0, -1);
  const ofType = (type: string): JsonObject[] => others.filter((credential) => subjectOf(credential)?.type === type);
  const [source] = ofType('TokenDataSource').map(subjectOf);
  return {
    action,
    impacts: ofType('ActivityImpact'),
    sources: others.filter((credential) => !descriptions.includes(subjectOf(credential)?.type ?? null)),
    dataSource: textsIn(source?.dataSource),
    relationships: textsIn(source?.relationships),
  };
}

/** As the book names them: what is signed may name them as an external ledger does. */
export function tokenSourcesOf(row: DocumentRecord): Pick<PresentationParts, 'dataSource' | 'relationships'> {
  const stored = row['tokenSources'];
  if (!isObject(stored)) return partsOf(credentialsIn(row.document));
  const { dataSource, relationships } = stored as JsonObject;
  return { dataSource: textsIn(dataSource), relationships: textsIn(relationships) };
}

/** Types of credentials that describe the action, and are not sources of it. */
const descriptions: readonly Json[] = ['TokenDataSource', 'ActivityImpact'];

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
