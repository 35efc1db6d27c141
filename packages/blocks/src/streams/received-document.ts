/** A document received with an event: whether a branch accepts it, and the record created from it. */
import {
  isBlockworkError,
  isObject,
  type DocumentInput,
  type JsonObject,
  type ReceivedEvent,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { askValidators } from '../forms/child-validators.js';
import { tiesOf } from '../forms/new-document.js';
import { demandValid, propertiesOf, schemaOf, type UsableSchema } from '../schemas/index.js';

export interface Branch {
  readonly branchEvent: string;
  readonly documentType: string;
  /** IRI, or empty to accept every document. */
  readonly schema: string;
}

/** The record, owned by the user, or the reason why this branch does not accept the document. */
export async function receivedDocument(
  ctx: RunContext,
  branch: Branch,
  event: ReceivedEvent & { readonly document: JsonObject },
  filters: Readonly<Record<string, string>>,
): Promise<DocumentInput | string> {
  const { document, messageId, topicId } = event;
  try {
    const schema = branch.schema === '' ? null : await schemaOf(ctx, branch.schema);
    const subject = subjectOf(document) ?? {};
    const { policyId: _policy, ref: _ref, ...fields } = subject;
    if (schema !== null) demandValid(ctx, schema, fields, '/document');
    if (!passesFilters(subject, schema, filters)) return 'it does not pass the filters of the user';
    const { did: owner, group } = ctx.user;
    const credential = credentialDocument(ctx, document, {
      ...{ owner, group, messageId, topicId },
      ...(schema !== null && { type: schema.id, schema: schema.id }),
      ...(await tiesOf(ctx, schema?.document ?? null, subject, undefined)),
      relationships: [messageId],
    });
    await askValidators(ctx, { document: credential, related: null });
    return credential;
  } catch (error) {
    if (isBlockworkError(error, 'INPUT_INVALID') || isBlockworkError(error, 'DOCUMENT_REFUSED')) return error.message;
    throw error;
  }
}

/** Each filter names a field of the subject, or its title or description in the schema. */
function passesFilters(
  subject: Record<string, unknown>,
  schema: UsableSchema | null,
  filters: Readonly<Record<string, string>>,
): boolean {
  const properties = propertiesOf(schema?.document ?? {});
  return Object.entries(filters).every(([wanted, value]) => {
    const named = Object.entries(properties).find(
      ([, property]) => isObject(property) && (property.title === wanted || property.description === wanted),
    );
    const name = Object.hasOwn(subject, wanted) ? wanted : named?.[0];
    return name !== undefined && Object.hasOwn(subject, name) && asText(subject[name]) === value;
  });
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
