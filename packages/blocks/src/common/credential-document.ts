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

const inheritedFields: readonly (keyof DocumentInput)[] = [
  'group',
  'assignedTo',
  'assignedToGroup',
  'type',
  'schema',
  'option',
  'accounts',
  'tokens',
];

/** What the record of a credential issued anew takes over from that of its source: the fields that are set there, and `more`. */
export function inheritedFrom(source: DocumentInput, ...more: readonly (keyof DocumentInput)[]): AboutCredential {
  const present = [...inheritedFields, ...more].flatMap((name) => {
    const value = source[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(present), owner: source.owner };
}
