/** Limits of schemas and of the values validated against them: both come from outside. */

/** Length of a schema as JSON text, in characters. */
export const SCHEMA_CHARACTERS = 1_000_000;

/** Total length of the schemas whose validators are cached. */
export const KEPT_CHARACTERS = 8_000_000;

/** Subschemas that one validation may visit, because references between schemas can multiply. */
export const STEPS = 1_000_000;

/** Elements of a list with `uniqueItems`, which compares each with each. */
export const DIFFERENT_ITEMS = 1_000;

/** Length of a text with a `format`. */
export const FORMATTED_CHARACTERS = 2_048;

/** Violations listed in one error. */
export const FAILURES = 100;

/** Fields that a form is told of, those of nested schemas included; further ones are in its schema only. */
export const FIELDS_OF_A_FORM = 5000;

/** Levels of nested schemas whose fields a form is told of. */
export const LEVELS_OF_A_FORM = 10;
