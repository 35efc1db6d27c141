/** What a report is about: the presentation or credential with a hash, its parts, and what its items begin with. */
import type { DocumentCollection, DocumentRow, Json, JsonObject, ReadContext } from '@blockwork/core/block';
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
): Promise<DocumentRow | undefined> {
  const where = {
    all: [{ path: 'hash', op: 'eq', value: hash } as const, { path: 'dataType', op: 'eq', value: dataType } as const],
  };
  const [row] = await ctx.documents.rows({ sources: [{ tag: ctx.block.tag, where }] }, { limit: 1 });
  return row;
}

async function ofPresentation(ctx: ReadContext, row: DocumentRow): Promise<ReportSubject> {
  const { action, impacts, dataSource, relationships, sources } = partsOf(credentialsIn(row.document));
  const behind = [...sources, ...(await storedAt(ctx, dataSource, 'vc-documents')).map(({ document }) => document)];
  const additional = await storedAt(ctx, relationships, 'vp-documents');
  const data = {
    ...(await common(ctx)),
    vpDocument: { ...(await described(ctx, row)), type: 'VP', title: 'Verified Presentation' },
    vcDocument: null,
    mintDocument: action === undefined ? null : await saying(ctx, action, ['tokenId', 'date', 'amount']),
    impacts: await Promise.all(
      impacts.map((impact) => saying(ctx, impact, ['impactType', 'label', 'description', 'amount', 'unit'])),
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

async function ofCredential(ctx: ReadContext, row: DocumentRow): Promise<ReportSubject> {
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

/** What every item can compare with; names as in the reference. */
function reportVariables(
  { policy }: ReadContext,
  { owner }: DocumentRow,
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

/** Sources are named by their ledger message; those that were never published, by their own id. */
async function storedAt(
  ctx: ReadContext,
  ids: readonly string[],
  dataType: DocumentCollection,
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const found: DocumentRow[] = [];
  for (const path of ['messageId', 'document.id']) {
    const where = {
      all: [{ path, op: 'in', value: ids } as const, { path: 'dataType', op: 'eq', value: dataType } as const],
    };
    found.push(...(await ctx.documents.rows({ sources: [{ tag: ctx.block.tag, where }] })));
  }
  return found;
}

/** The policy's own credential is in the message that published it; a trial has none. */
async function common(ctx: ReadContext): Promise<JsonObject> {
  const { messageId, name } = ctx.policy;
  const body = messageId === '' ? undefined : (await ctx.ledger.message(messageId))?.body;
  const isCredential = typeof body === 'object' && body !== null && !Array.isArray(body);
  return {
    policyDocument: isCredential
      ? { type: 'VC', name, tag: 'Policy', ...(await issuedBy(ctx, body)), document: body }
      : null,
    policyCreatorDocument: null,
  };
}

const described = async (ctx: ReadContext, row: DocumentRow): Promise<JsonObject> => ({
  tag: typeof row.tag === 'string' ? row.tag : '',
  hash: row.hash ?? '',
  ...(await issuedBy(ctx, row.document)),
  document: row.document,
});

/** A credential of the presentation, with the members of its subject that people look for. */
async function saying(ctx: ReadContext, document: JsonObject, members: readonly string[]): Promise<JsonObject> {
  const subject = subjectOf(document) ?? {};
  const said = Object.fromEntries(members.map((member) => [member, subject[member] ?? null]));
  return { type: 'VC', tag: ctx.block.tag, ...said, ...(await issuedBy(ctx, document)), document };
}
