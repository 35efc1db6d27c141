/** The subject of a report: the presentation or credential with a hash, its parts, and the first variables of its items. */
import {
  allOf,
  isObject,
  type DocumentCollection,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { issuedBy } from './issuer.js';
import { partsOf } from './presentation-parts.js';
import type { Variables } from './report-filter.js';

export interface ReportSubject {
  readonly data: JsonObject;
  readonly variables: Variables;
}

/** `undefined` where the policy has no such document. A presentation is preferred to a credential. */
export async function reportSubject(ctx: ReadContext, hash: string): Promise<ReportSubject | undefined> {
  const presentation = await withHash(ctx, hash, 'vp-documents');
  if (presentation !== undefined) return ofPresentation(ctx, presentation);
  const credential = await withHash(ctx, hash, 'vc-documents');
  return credential && ofCredential(ctx, credential);
}

async function withHash(
  ctx: ReadContext,
  hash: string,
  dataType: DocumentCollection,
): Promise<DocumentRecord | undefined> {
  const where = allOf({ path: 'hash', op: 'eq', value: hash }, { path: 'dataType', op: 'eq', value: dataType });
  const [found] = await ctx.documents.find(where, { limit: 1 });
  return found;
}

async function ofPresentation(ctx: ReadContext, row: DocumentRecord): Promise<ReportSubject> {
  const { action, impacts, dataSource, relationships, sources } = partsOf(credentialsIn(row.document));
  const behind = [...sources, ...(await storedAt(ctx, dataSource, 'vc-documents')).map(({ document }) => document)];
  const additional = await storedAt(ctx, relationships, 'vp-documents');
  const data = {
    ...(await common(ctx)),
    vpDocument: { ...(await described(ctx, row)), type: 'VP', title: 'Verified Presentation' },
    vcDocument: null,
    mintDocument: action === undefined ? null : await withMembers(ctx, action, ['tokenId', 'date', 'amount']),
    impacts: await Promise.all(
      impacts.map((impact) => withMembers(ctx, impact, ['impactType', 'label', 'description', 'amount', 'unit'])),
    ),
    additionalDocuments: await Promise.all(
      additional.map(async (other) => ({
        ...(await described(ctx, other)),
        type: 'VP',
        title: 'Related Presentation',
      })),
    ),
  };
  return { data, variables: reportVariables(ctx, row, behind, action) };
}

async function ofCredential(ctx: ReadContext, row: DocumentRecord): Promise<ReportSubject> {
  const data = {
    ...(await common(ctx)),
    vpDocument: null,
    vcDocument: { ...(await described(ctx, row)), type: 'VC', title: 'Verifiable Credential' },
    mintDocument: null,
    impacts: [],
    additionalDocuments: [],
  };
  return { data, variables: reportVariables(ctx, row, [row.document], row.document) };
}

/** Variables that the filters of every item can use; names as in the reference. */
function reportVariables(
  { policy }: ReadContext,
  { owner }: DocumentRecord,
  behind: readonly JsonObject[],
  action: JsonObject | undefined,
): Variables {
  const documentIds = behind.map(({ id }) => id).filter((id) => id !== undefined);
  const documentSubjectIds = behind.map((credential) => subjectOf(credential)?.id).filter((id) => id !== undefined);
  const known = {
    policyId: policy.id,
    owner,
    documentId: documentIds[0],
    documentIds,
    documentSubjectId: documentSubjectIds[0],
    documentSubjectIds,
    actionId: action?.id,
    actionSubjectId: action && subjectOf(action)?.id,
  };
  return Object.fromEntries(Object.entries(known).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Sources are named by their ledger message, or by their own id if they were never published. */
async function storedAt(
  ctx: ReadContext,
  ids: readonly string[],
  dataType: DocumentCollection,
): Promise<DocumentRecord[]> {
  if (ids.length === 0) return [];
  const found: DocumentRecord[] = [];
  for (const path of ['messageId', 'document.id']) {
    const where = allOf({ path, op: 'in', value: ids }, { path: 'dataType', op: 'eq', value: dataType });
    found.push(...(await ctx.documents.find(where)));
  }
  return found;
}

/** The policy's own credential is in the message that published it; a dry run has none. */
async function common(ctx: ReadContext): Promise<JsonObject> {
  const { messageId, name } = ctx.policy;
  const body = messageId === '' ? undefined : (await ctx.ledger.message(messageId))?.body;
  return {
    policyDocument: isObject(body)
      ? { type: 'VC', name, tag: 'Policy', ...(await issuedBy(ctx, body)), document: body }
      : null,
    policyCreatorDocument: null,
  };
}

const described = async (ctx: ReadContext, row: DocumentRecord): Promise<JsonObject> => ({
  tag: typeof row.tag === 'string' ? row.tag : '',
  hash: row.hash ?? '',
  ...(await issuedBy(ctx, row.document)),
  document: row.document,
});

/** A credential of the presentation, with the given members of its subject copied beside it. */
async function withMembers(ctx: ReadContext, document: JsonObject, members: readonly string[]): Promise<JsonObject> {
  const subject = subjectOf(document) ?? {};
  const copied = Object.fromEntries(members.map((member) => [member, subject[member] ?? null]));
  return { type: 'VC', tag: ctx.block.tag, ...copied, ...(await issuedBy(ctx, document)), document };
}
