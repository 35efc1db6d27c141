/** Documents that another one refers to with its subject's `ref`. */
import {
  allOf,
  type Condition,
  type DocumentInput,
  type DocumentRecord,
  type ReadContext,
} from '@blockwork/core/block';
import { credentialsIn, subjectOf } from '../common/subject.js';

export type DocumentType = 'vc-document' | 'vp-document' | 'related-vc-document' | 'related-vp-document' | '';

/** Page size when scanning presentations. */
const BATCH = 200;

/** Credentials about that subject, or presentations that contain one, in storage order. */
export async function relatedDocuments(
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
  const found: DocumentRecord[] = [];
  for (let offset = 0; ; offset += BATCH) {
    const batch = await ctx.documents.find(where, { offset, limit: BATCH });
    found.push(...batch.filter(({ document }) => credentialsIn(document).some(isAbout(subjectId))));
    if (batch.length < BATCH) return found;
  }
}

const isAbout = (subjectId: string) => (credential: DocumentRecord['document']) =>
  subjectOf(credential)?.id === subjectId;

const inCollection = (value: string): Condition => ({ path: 'dataType', op: 'eq', value });

export const isPresentation = ({ document }: Pick<DocumentInput, 'document'>): boolean => {
  const { type } = document;
  return Array.isArray(type) ? type.includes('VerifiablePresentation') : type === 'VerifiablePresentation';
};
