/** A stored document as clients expect it, in grids, forms and reports alike. */
import type { ReadContext } from '../block-api/index.js';
import { isObject, withoutMember, type DocumentRecord, type Json, type JsonObject } from '../records/index.js';

/** Maximum serials listed in a row; the credential and the ledger have all of them. */
const SERIALS_AT_MOST = 10_000;

/**
 * The record with `_id`, `messageIds` and, depending on its type, an initial status, mint data or its DID. The
 * additions are computed on read and never stored, and blocks never see them. `asStored` is the record before addons
 * removed members, so that a status they hide is not mistaken for a missing one.
 */
export function documentRow<Row extends DocumentRecord>(
  { policy }: Pick<ReadContext, 'policy'>,
  row: Row,
  asStored: DocumentRecord = row,
): Row {
  const { minted, messageId } = row;
  const shown = withoutMember(row as JsonObject, 'minted');
  shown._id = row.id;
  shown.messageIds = typeof messageId === 'string' && messageId !== '' ? [messageId] : [];
  if (policy.status === 'DRY-RUN') shown.dryRunId = policy.id;
  return Object.assign(shown, byKind(row, minted, asStored)) as Row & JsonObject;
}

function byKind(row: DocumentRecord, minted: unknown, stored: DocumentRecord): JsonObject {
  switch (row.dataType) {
    case 'vc-documents':
    case 'approve':
      return stored.option.status === undefined ? { option: { status: 'NEW', ...row.option } } : {};
    case 'vp-documents':
      return { ...statusOf(row), ...(isObject(minted) && mintMembers(minted)) };
    case 'did-documents':
      return { did: row.document.id ?? null };
  }
}

const statusOf = ({ hederaStatus }: DocumentRecord): JsonObject =>
  typeof hederaStatus === 'string' ? { status: hederaStatus } : {};

/** Mints are atomic: whatever was minted has been transferred. */
function mintMembers({ tokenId, amount, serials, toOther }: Record<string, unknown>): JsonObject {
  const listed = serialsOf(serials, tokenId as Json);
  const display = Number(amount);
  return {
    tokenIds: [tokenId as Json],
    serials: listed,
    amount: display,
    transferSerials: listed,
    transferAmount: display,
    wasTransferNeeded: toOther === true,
    error: '',
  };
}

function serialsOf(ranges: unknown, tokenId: Json): JsonObject[] {
  const listed: JsonObject[] = [];
  for (const [first, last] of Array.isArray(ranges) ? (ranges as [number, number][]) : []) {
    for (let serial = first; serial <= last && listed.length < SERIALS_AT_MOST; serial += 1) {
      listed.push({ serial, tokenId });
    }
  }
  return listed;
}
