/** A stored document with one field set to a value that the policy defines or offers as a choice. */
import {
  cloneJson,
  isObject,
  sameJson,
  valueAt,
  type DocumentRecord,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { signerOf } from '../common/document-kind.js';
import { subjectOf } from '../common/subject.js';

/** Members of a record that only the engine sets. */
const engineMembers = [
  'id',
  'policyId',
  'dataType',
  'hash',
  'signature',
  'messageId',
  'topicId',
  'createDate',
  'updateDate',
  '__proto__',
];

const SUBJECT = 'document.credentialSubject.';

/**
 * Not stored, unless the field is in the credential's subject: then the current user reissues the credential. The
 * new one replaces the old one and names it as evidence and as a relationship.
 */
export async function changedDocument(
  ctx: RunContext,
  document: DocumentRecord,
  field: string,
  value: Json,
): Promise<DocumentRecord> {
  if (sameJson(valueAt(document, field), value)) return document;
  const [first = ''] = field.split('.');
  if (engineMembers.includes(first) || (first === 'document' && !field.startsWith(SUBJECT))) {
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the field "${field}" is not one that can be set` } });
  }
  const changed = withValue(ctx, document, field, value);
  return first === 'document' ? reissued(ctx, document, changed) : changed;
}

async function reissued(ctx: RunContext, before: DocumentRecord, changed: DocumentRecord): Promise<DocumentRecord> {
  const subject = subjectOf(changed.document);
  if (subject === undefined) {
    return ctx.fail('INPUT_INVALID', { facts: { reason: 'The document has no subject that could be changed.' } });
  }
  const { did, group } = ctx.user;
  const { id = null, evidence } = before.document;
  const replaced = { type: ['SourceDocument'], id, issuer: signerOf(before.document) ?? null };
  const credential = await ctx.credentials.issue({
    issuer: did,
    group: ctx.policy.groups.length > 0 ? group : null,
    subject,
    evidence: [...(Array.isArray(evidence) ? evidence : []), replaced],
  });
  return ctx.documents.update({
    ...changed,
    document: credential,
    hash: ctx.credentials.hash(credential),
    hederaStatus: 'NEW',
    signature: 1,
    messageId: null,
    topicId: null,
    ...(before.messageId && { relationships: [before.messageId] }),
  });
}

/** Creates missing objects along the path; lists must exist. */
function withValue(ctx: RunContext, document: DocumentRecord, field: string, value: Json): DocumentRecord {
  const copy = cloneJson(document);
  const keys = field.split('.');
  const last = keys.pop() ?? '';
  let at: Record<string, unknown> | unknown[] = copy;
  for (const key of keys) {
    const next: unknown = Array.isArray(at)
      ? key === 'L'
        ? at.at(-1)
        : at[Number(key)]
      : Object.hasOwn(at, key)
        ? at[key]
        : undefined;
    if (isObject(next) || Array.isArray(next)) at = next;
    else at = addObject(ctx, at, key, next, field);
  }
  if (Array.isArray(at)) return refuse(ctx, field);
  put(at, last, value);
  return copy;
}

function addObject(
  ctx: RunContext,
  at: Record<string, unknown> | unknown[],
  key: string,
  found: unknown,
  field: string,
): Record<string, unknown> {
  if (Array.isArray(at) || (found !== undefined && found !== null)) return refuse(ctx, field);
  const next: Record<string, unknown> = {};
  put(at, key, next);
  return next;
}

/** Defines the member instead of assigning it, because it may be called `__proto__`. */
const put = (object: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
};

function refuse(ctx: RunContext, field: string): never {
  return ctx.fail('INPUT_INVALID', { facts: { reason: `The document has no place for the field "${field}".` } });
}
