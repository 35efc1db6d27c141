/** A schema that cannot be applied; the message says why. */
export class SchemaUnusable extends Error {}
