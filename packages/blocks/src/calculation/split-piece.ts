/** A piece of a document: its credential reissued with a part of the number, and with evidence of its source. */
import {
  cloneJson,
  isObject,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import type { Real } from '../formulas/index.js';

export interface Cut {
  readonly source: DocumentInput;
  readonly total: Real;
  readonly threshold: Real;
  readonly value: Real;
  /** Position among the pieces of the document, from 1. */
  readonly number: number;
  readonly of: number;
}

/** Signed by the owner of the policy. It keeps its source's message, so that tokens minted from it reference the source. */
export async function issuePiece(ctx: RunContext, field: string, cut: Cut): Promise<DocumentInput> {
  const { source } = cut;
  const document = cloneJson(source.document);
  write(ctx, { document }, field, cut.value);
  const subject = subjectOf(document);
  if (subject === undefined) return ctx.fail('DOCUMENT_MISSING');
  const credential = await ctx.credentials.issue({
    issuer: ctx.policy.owner,
    subject,
    evidence: [...evidenceIn(document), ...(source.messageId ? [evidence(source.messageId, field, cut)] : [])],
  });
  const { owner, group, assignedTo, assignedToGroup, type, schema, option, accounts, tokens, messageId, topicId } =
    source;
  const kept = { group, assignedTo, assignedToGroup, type, schema, option, accounts, tokens, messageId, topicId };
  const present = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined && value !== null));
  return credentialDocument(ctx, credential, { ...present, owner, relationships: messageId ? [messageId] : [] });
}

const evidenceIn = ({ evidence: given }: JsonObject): Json[] => (Array.isArray(given) ? given : []);

const evidence = (messageId: string, sourceField: string, cut: Cut): JsonObject => ({
  type: ['SourceDocument'],
  messageId,
  sourceField,
  sourceValue: cut.total.toNumber(),
  threshold: cut.threshold.toNumber(),
  chunkNumber: cut.number,
  maxChunks: cut.of,
});

/** A number written as text stays text, as its schema requires. Only fields of the subject can be split. */
function write(ctx: RunContext, record: JsonObject, field: string, value: Real): void {
  const names = field.split('.');
  const last = names.pop() ?? '';
  let at: Json | undefined = record;
  for (const name of names) at = memberOf(at, name);
  if (!(isObject(at) || Array.isArray(at)) || names[1] !== 'credentialSubject') {
    const reason = `"${field}" is not a field of a credential's subject`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
  }
  const holder = at as JsonObject;
  holder[last] = typeof holder[last] === 'string' ? value.toFixed() : value.toNumber();
}

/** `L` stands for the last element of a list. */
function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return name === 'L' ? value.at(-1) : value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
