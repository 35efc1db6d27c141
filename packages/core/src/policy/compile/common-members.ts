/** The members that every block may have, whatever its type. */

/** Those that belong to the engine and are no options of the block type. */
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

/** What editors write besides: for clients, and what only some types make use of. */
export const commonMembers: readonly string[] = [...engineMembers, 'uiMetaData', 'artifacts', 'followUser', 'tags'];
