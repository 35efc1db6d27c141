/** The issuer of a document, as DID and by name. */
import type { JsonObject, ReadContext } from '@blockwork/core/block';
import { signerOf } from '../common/document-kind.js';

/** Two members of each part of a report. */
export async function issuedBy(
  ctx: ReadContext,
  document: JsonObject,
): Promise<{ issuer: string | null; username: string | null }> {
  const issuer = signerOf(document) ?? null;
  return { issuer, username: issuer === null ? null : await ctx.users.nameOf(issuer) };
}
