/** A record around a credential that a block has just issued, not stored yet. */
import type { DocumentInput, JsonObject, RunContext } from '@blockwork/core/block';

/** Metadata of the credential that its text does not contain. */
export type AboutCredential = Partial<DocumentInput> & {
  readonly owner: string;
};

export const credentialDocument = (ctx: RunContext, credential: JsonObject, about: AboutCredential): DocumentInput => ({
  ...about,
  dataType: 'vc-documents',
  hash: ctx.credentials.hash(credential),
  document: credential,
  option: about.option ?? {},
  tag: ctx.block.tag,
  hederaStatus: 'NEW',
  // As in the reference: 0 not checked, 1 verified, 2 invalid.
  signature: 1,
});
