/** JSON pointers (RFC 6901). */

export const pointerStep = (key: PropertyKey): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const pointerOf = (keys: readonly PropertyKey[]): string => keys.map(pointerStep).join('');
