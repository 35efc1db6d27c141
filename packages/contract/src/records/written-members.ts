/** Members of a credential's subject that the engine writes: no fields of an author. */
export const writtenMembers: readonly string[] = ['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion'];
