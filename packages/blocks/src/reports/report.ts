/** `reportBlock`: the trust chain behind a presentation or a credential (reference engine, section 7.16). */
import {
  allOf,
  defineBlock,
  type DocumentCollection,
  type DocumentRecord,
  heading,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialsIn, subjectOf } from '../common/subject.js';
import type { Variables } from './report-filter.js';
import { credentialPart, partsOf, policyPart, presentationParts, tokenSourcesOf } from './report-parts.js';

const state = z.object({ hash: z.string() });

export const reportBlock = defineBlock({
  type: 'reportBlock',
  title: 'Report',
  description: 'Shows the provenance of a mint or any other document: every document that it goes back to.',
  kind: 'interface',
  children: ['addon'],
  pure: true,
  viewState: true,
  input: z.object({
    /** Hash of the document; null and an empty text clear the choice. */
    filterValue: z.string().trim().max(200).nullish(),
  }),
  /** `hash` or `filterValue` in the query applies to this answer only. Documents of other policies are never found. */
  async read(ctx) {
    const wanted = ctx.query.hash ?? ctx.query.filterValue;
    const hash = (wanted ?? (await ctx.state.get(state))?.hash ?? '').trim();
    const uiMetaData = ctx.block.uiMetaData;
    if (hash === '') return { ...heading(ctx), hash: null, uiMetaData, data: null };
    const subject = await reportSubject(ctx, hash);
    if (subject === undefined) return { ...heading(ctx), hash, uiMetaData, data: null };
    const { items } = await itemsOf(ctx, subject.variables);
    return { ...heading(ctx), hash, uiMetaData, data: { ...subject.data, documents: items } };
  },
  async receive(ctx, { filterValue }) {
    await ctx.state.set({ hash: filterValue ?? '' });
  },
});

interface ReportSubject {
  readonly data: JsonObject;
  readonly variables: Variables;
}

/** `undefined` if the policy has no such document. A presentation is preferred to a credential. */
async function reportSubject(ctx: ReadContext, hash: string): Promise<ReportSubject | undefined> {
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
  const [document] = await ctx.documents.find(where, { limit: 1 });
  return document;
}

async function ofPresentation(ctx: ReadContext, row: DocumentRecord): Promise<ReportSubject> {
  const { action, sources } = partsOf(credentialsIn(row.document));
  const { dataSource, relationships } = tokenSourcesOf(row);
  const behind = [...sources, ...(await storedAt(ctx, dataSource, 'vc-documents')).map(({ document }) => document)];
  const related = await Promise.all(
    (await relatedTo(ctx, row, relationships)).map((each) => presentationParts(ctx, each)),
  );
  const data = {
    ...(await common(ctx)),
    vcDocument: null,
    ...(await presentationParts(ctx, row)),
    ...(related.length > 0 && { additionalDocuments: related }),
  };
  return { data, variables: reportVariables(ctx, row, behind, action) };
}

/** Presentations that this one references, and those that reference it. */
async function relatedTo(
  ctx: ReadContext,
  { id, messageId }: DocumentRecord,
  relationships: readonly string[],
): Promise<DocumentRecord[]> {
  const below = await storedAt(ctx, relationships, 'vp-documents');
  if (typeof messageId !== 'string') return below;
  const where = allOf(
    { path: 'relationships', op: 'in', value: [messageId] },
    { path: 'dataType', op: 'eq', value: 'vp-documents' },
  );
  const above = (await ctx.documents.find(where)).filter((each) =>
    tokenSourcesOf(each).relationships.includes(messageId),
  );
  const related = new Set([id]);
  return [...below, ...above].filter((each) => !related.has(each.id) && related.add(each.id));
}

async function ofCredential(ctx: ReadContext, row: DocumentRecord): Promise<ReportSubject> {
  const data = {
    ...(await common(ctx)),
    vpDocument: null,
    vcDocument: await credentialPart(ctx, row),
    mintDocument: null,
    impacts: [],
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
  const standard = {
    policyId: policy.id,
    owner,
    documentId: documentIds[0],
    documentIds,
    documentSubjectId: documentSubjectIds[0],
    documentSubjectIds,
    actionId: action?.id,
    actionSubjectId: action && subjectOf(action)?.id,
  };
  return Object.fromEntries(
    Object.entries(standard).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

/** Sources are named by their ledger message, or by their own id if they were never published. */
async function storedAt(
  ctx: ReadContext,
  ids: readonly string[],
  dataType: DocumentCollection,
): Promise<DocumentRecord[]> {
  if (ids.length === 0) return [];
  const documents: DocumentRecord[] = [];
  for (const path of ['messageId', 'document.id']) {
    const where = allOf({ path, op: 'in', value: ids }, { path: 'dataType', op: 'eq', value: dataType });
    documents.push(...(await ctx.documents.find(where)));
  }
  return documents;
}

const common = async (ctx: ReadContext): Promise<JsonObject> => ({
  policyDocument: await policyPart(ctx),
  policyCreatorDocument: null,
});

const variables = z.record(z.string(), z.json());

export const itemQuestion = z.object({ variables });

const itemAnswer = z.object({ item: z.json(), variables });
export type ItemAnswer = z.infer<typeof itemAnswer>;

/** The items below a block, in order. Each sees the variables of those before it. */
export async function itemsOf(
  ctx: ReadContext,
  variables: Variables,
): Promise<{ items: Json[]; variables: Record<string, Json> }> {
  const items: Json[] = [];
  let inScope: Record<string, Json> = { ...variables };
  for (const child of ctx.children) {
    if (child.kind === 'unknown' || (await child.availability()).outcome === 'forbidden') continue;
    const answered = await child.answer({ variables: inScope });
    if (answered === undefined) continue;
    const { item, variables: after } = itemAnswer.parse(answered);
    items.push(item);
    inScope = after;
  }
  return { items, variables: inScope };
}
