/** Limits on schemas and on what is checked against them: both come from outside. */

/** Characters of one schema as JSON text. */
export const SCHEMA_CHARACTERS = 1_000_000;

/** Characters of schemas whose compiled form is kept. */
export const KEPT_CHARACTERS = 8_000_000;

/** Subschemas that one check may look into: schemas that refer to each other can multiply. */
export const STEPS = 1_000_000;

/** Elements that a list may have where the schema wants them to differ, since each is compared with each. */
export const DIFFERENT_ITEMS = 1_000;

/** Characters of a text that has to have a format. */
export const FORMATTED_CHARACTERS = 2_048;

/** Failures that one refusal lists. */
export const FAILURES = 100;
