/**
 * The rules for the record that an approval sends: it must belong to the request, and must not change fields owned by
 * the server.
 */
import { BlockworkError } from '../errors.js';
import { describeDetails, toDetails } from '../problem-details.js';
import { nestsTooDeep, perCallerFields, policyRecord, sameJson } from '../records/index.js';
import type { ErrorDetail, PolicyRecord, StoredPolicy } from '../records/index.js';

/** Fields that the approver may write; all others keep the server's value. */
const approverOwned = [
  'name',
  'description',
  'topicDescription',
  'policyTag',
  'categories',
  'projectSchema',
  'tests',
] as const;

/** Owned by the server even if the policy has no value for them. */
const serverOwned = [
  'id',
  'uuid',
  'status',
  'creator',
  'owner',
  'ownerId',
  'topicId',
  'instanceTopicId',
  'synchronizationTopicId',
  'messageId',
  'codeVersion',
  'createDate',
  'updateDate',
  'version',
  'previousVersion',
  'hash',
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyTokens',
  'policyNavigation',
] as const;

/** Parses the record. Throws `RECORD_INVALID` with every missing or invalid field. */
export function readRecord(messageId: string, body: unknown): PolicyRecord {
  if (nestsTooDeep(body)) refuse(messageId, [{ path: '', message: 'nests too deep' }]);
  const parsed = policyRecord.safeParse(body);
  if (parsed.success) return parsed.data;
  return refuse(messageId, toDetails(parsed.error));
}

/**
 * The record to store: the server's, with the fields that the approver may write. Throws
 * `RECORD_INVALID` if the record is another policy's, or differs in a field that the server owns.
 * Per-caller fields are ignored; `messageId` may be the policy's or the request's.
 */
export function approvedRecord(
  messageId: string,
  sent: PolicyRecord,
  policy: StoredPolicy & { readonly config?: Record<string, unknown> },
): StoredPolicy {
  const { config: known, ...reference } = policy;
  const details: ErrorDetail[] = [];
  for (const field of new Set([...serverOwned, ...Object.keys(reference)])) {
    if ((approverOwned as readonly string[]).includes(field) || sent[field] === undefined) continue;
    if (field === 'messageId' && sent.messageId === messageId) continue;
    if (!sameJson(sent[field], reference[field]))
      details.push({ path: `/${field}`, message: `is set by the server to ${shown(reference[field])}` });
  }
  if (sent.config !== undefined && !sameJson(sent.config, known)) {
    details.push({ path: '/config', message: 'differs from the configuration of the policy' });
  }
  if (details.length > 0) refuse(messageId, details);
  const ignored: readonly string[] = [...perCallerFields, ...serverOwned, 'config'];
  const written = Object.fromEntries(Object.entries(sent).filter(([field]) => !ignored.includes(field)));
  return { ...reference, ...written };
}

function refuse(messageId: string, details: readonly ErrorDetail[]): never {
  throw new BlockworkError('RECORD_INVALID', { facts: { messageId, reason: describeDetails(details) }, details });
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200));
