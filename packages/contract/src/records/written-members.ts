/** What the engine writes into the subject of a credential. */

const names = ['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion'] as const;

export type WrittenMember = (typeof names)[number];

/** Members of a credential's subject that the engine writes: no fields of an author. */
export const writtenMembers: readonly string[] = names;
