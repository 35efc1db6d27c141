/** A stored document with one field set to what the policy, or a choice that it offers, says. */
import { cloneJson, isObject } from '@blockwork/core/block';
import type { DocumentRecord, Json, RunContext } from '@blockwork/core/block';
import { valueAt, sameJson } from '@blockwork/core/block';
import { signerOf } from '../common/document-kind.js';
import { subjectOf } from '../common/subject.js';

/** Members of a record that are the engine's own. */
const ofEngine = [
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
 * Not stored, unless the field is one of the credential's subject: a changed subject needs a new signature. It is then issued
 * anew by the current user, who changed it, in the place of the old one, which it names as evidence and builds on.
 */
export async function changedDocument(
  ctx: RunContext,
  document: DocumentRecord,
  field: string,
  value: Json,
): Promise<DocumentRecord> {
  if (sameJson(valueAt(document, field), value)) return document;
  const [first = ''] = field.split('.');
  if (ofEngine.includes(first) || (first === 'document' && !field.startsWith(SUBJECT))) {
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

/** Objects on the way are made where they are missing; lists must be there. */
function withValue(ctx: RunContext, document: DocumentRecord, field: string, value: Json): DocumentRecord {
  const copy = cloneJson(document);
  const keys = field.split('.');
  const last = keys.pop() ?? '';
  let at: Record<string, unknown> | unknown[] = copy;
  for (const key of keys) {
    const next: unknown = Array.isArray(at) ? at[Number(key)] : Object.hasOwn(at, key) ? at[key] : undefined;
    if (isObject(next) || Array.isArray(next)) at = next;
    else at = made(ctx, at, key, next, field);
  }
  if (Array.isArray(at)) return refuse(ctx, field);
  put(at, last, value);
  return copy;
}

function made(
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

/** Never by assignment: a member may be called `__proto__`. */
const put = (object: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
};

function refuse(ctx: RunContext, field: string): never {
  return ctx.fail('INPUT_INVALID', { facts: { reason: `The document has no place for the field "${field}".` } });
}
