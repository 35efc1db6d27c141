/** The members that every block may have, whatever its type. */

/** Members that belong to the engine rather than to the block type's options. */
export const engineMembers: ReadonlySet<string> = new Set([
  'id',
  'blockType',
  'tag',
  'permissions',
  'defaultActive',
  'events',
  'innerEvents',
  'children',
  'dependencies',
  'stopPropagation',
  'onErrorAction',
  'errorTimeout',
  'errorFallbackStep',
  'errorFallbackTag',
]);

/** Plus members that editors write for clients, and those used by only some types. */
export const commonMembers: readonly string[] = [...engineMembers, 'uiMetaData', 'artifacts', 'followUser', 'tags'];
