/** `documentValidatorBlock`: accepts or rejects a document (reference engine, section 7.14). */
import {
  allOf,
  type Condition,
  defineBlock,
  type DocumentInput,
  type DocumentRecord,
  documentsIn,
  isObject,
  passOn,
  type ReadContext,
  RELEASE,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { fieldTest, passes } from '../common/field-test.js';
import { credentialsIn, subjectOf } from '../common/subject.js';

const { flag, listOf, text } = tolerant;

const options = z.strictObject({
  documentType: text.pipe(z.enum(['vc-document', 'vp-document', 'related-vc-document', 'related-vp-document', ''])),
  checkOwnerDocument: flag,
  checkOwnerByGroupDocument: flag,
  checkAssignDocument: flag,
  checkAssignByGroupDocument: flag,
  schema: text,
  conditions: listOf(fieldTest),
});
type Options = z.infer<typeof options>;

/** The parent's request: see `Proposal`. */
const proposal = z.object({
  document: z.custom<DocumentInput>(isObject),
  related: z.custom<DocumentInput>(isObject).nullable(),
});

export const documentValidatorBlock = defineBlock({
  type: 'documentValidatorBlock',
  title: 'Validator',
  description: 'Checks the kind, owner, schema and conditions of a document or of the one it refers to.',
  kind: 'addon',
  outputs: [RELEASE],
  options,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema', severity: 'warning' }],
  on: {
    async RunEvent(ctx, { data }) {
      const documents = documentsIn(data);
      if (documents.length === 0) refuse(ctx, 'Invalid document', 'there is none');
      for (const document of documents) {
        await ctx.budget.giveWay();
        await demand(ctx, document, null);
      }
      passOn(ctx, data);
    },
  },

  /** As a child: throws if the document is invalid. */
  async assist(ctx, input) {
    const parsed = proposal.safeParse(input);
    if (!parsed.success) return refuse(ctx, 'Invalid document', 'there is none');
    await demand(ctx, parsed.data.document, parsed.data.related);
    return null;
  },
});

/** `related`: the document referred to, if already known. */
async function demand(ctx: RunContext<Options>, proposed: DocumentInput, related: DocumentInput | null): Promise<void> {
  const { documentType, schema } = ctx.options;
  const about = documentType.startsWith('related-')
    ? await relatedDocument(ctx, documentType, proposed, related)
    : proposed;
  if (documentType !== '' && documentType.endsWith('vp-document') !== isPresentation(about)) {
    refuse(ctx, 'Invalid document type', `it must be a ${documentType.replace('related-', '')}`);
  }
  demandPeople(ctx, about);
  if (schema !== '' && about.schema !== schema) refuse(ctx, 'Invalid document schema', 'it is of another schema');
  const failed = ctx.options.conditions.find((condition) => !passes(about, condition));
  if (failed !== undefined) refuse(ctx, 'Invalid document', `"${failed.field}" is not as it has to be`);
}

/** Of several documents about one subject, the first with the required schema. */
async function relatedDocument(
  ctx: RunContext<Options>,
  documentType: DocumentType,
  proposed: DocumentInput,
  related: DocumentInput | null,
): Promise<DocumentInput> {
  if (related !== null && documentType === 'related-vc-document') return related;
  const documents = await relatedDocuments(ctx, documentType, proposed);
  const { schema } = ctx.options;
  const wanted = documents.find((document) => schema === '' || document.schema === schema) ?? documents[0];
  return wanted ?? refuse(ctx, 'Document does not exist', 'it refers to no known document');
}

/** Group conditions match nothing for a user without a group. */
function demandPeople(ctx: RunContext<Options>, about: DocumentInput): void {
  const { checkOwnerDocument, checkOwnerByGroupDocument, checkAssignDocument, checkAssignByGroupDocument } =
    ctx.options;
  const { did, group } = ctx.user;
  const isMine = (of: string | null | undefined): boolean => of === did;
  const isOurs = (of: string | null | undefined): boolean => group !== null && of === group;
  if (checkOwnerDocument && !isMine(about.owner)) refuse(ctx, 'Invalid owner', 'it belongs to another user');
  if (checkOwnerByGroupDocument && !isOurs(about.group)) refuse(ctx, 'Invalid group', 'it belongs to another group');
  if (checkAssignDocument && !isMine(about.assignedTo)) refuse(ctx, 'Invalid assigned user', 'it is not for this user');
  if (checkAssignByGroupDocument && !isOurs(about.assignedToGroup)) {
    refuse(ctx, 'Invalid assigned group', "it is not for this user's group");
  }
}

function refuse(ctx: RunContext<Options>, what: string, why: string): never {
  const { documentType } = ctx.options;
  const which = documentType.startsWith('related-') ? 'the document that is referred to' : 'the document';
  return ctx.fail('DOCUMENT_REFUSED', { facts: { what, which, why } });
}

type DocumentType = 'vc-document' | 'vp-document' | 'related-vc-document' | 'related-vp-document' | '';

/** Page size when scanning presentations. */
const BATCH = 200;

/** Credentials about that subject, or presentations that contain one, in storage order. */
async function relatedDocuments(
  ctx: ReadContext,
  documentType: DocumentType,
  { document }: DocumentInput,
): Promise<DocumentRecord[]> {
  const ref = subjectOf(document)?.ref;
  if (typeof ref !== 'string' || ref === '') return [];
  if (documentType === 'related-vp-document') return presentationsAbout(ctx, ref);
  const where = allOf(inCollection('vc-documents'), { path: 'document.credentialSubject.0.id', op: 'eq', value: ref });
  return ctx.documents.find(where, { limit: BATCH });
}

async function presentationsAbout(ctx: ReadContext, subjectId: string): Promise<DocumentRecord[]> {
  const where = inCollection('vp-documents');
  const presentations: DocumentRecord[] = [];
  for (let offset = 0; ; offset += BATCH) {
    const batch = await ctx.documents.find(where, { offset, limit: BATCH });
    presentations.push(...batch.filter(({ document }) => credentialsIn(document).some(isAbout(subjectId))));
    if (batch.length < BATCH) return presentations;
  }
}

const isAbout = (subjectId: string) => (credential: DocumentRecord['document']) =>
  subjectOf(credential)?.id === subjectId;

const inCollection = (value: string): Condition => ({ path: 'dataType', op: 'eq', value });

const isPresentation = ({ document }: Pick<DocumentInput, 'document'>): boolean => {
  const { type } = document;
  return Array.isArray(type) ? type.includes('VerifiablePresentation') : type === 'VerifiablePresentation';
};
