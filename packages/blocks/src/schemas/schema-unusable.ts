/** A schema that cannot be used; the message says why. */
export class SchemaUnusable extends Error {
  override readonly name = 'SchemaUnusable';
}
