/** Schemas as the reference's editor writes them, in short. */
import type { JsonObject, SchemaRecord } from '@blockwork/core/block';

export type Fields = Record<string, JsonObject>;

export const text: JsonObject = { type: 'string' };
export const number: JsonObject = { type: 'number' };
export const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
export const nested = (name: string): JsonObject => ({ $ref: `#${name}` });
export const commented = (field: JsonObject, comment: JsonObject): JsonObject => ({
  ...field,
  $comment: JSON.stringify(comment),
});
/** A field that the branch demands which declares it. */
export const demanded = (field: JsonObject): JsonObject => commented(field, { conditionRequired: true });

interface Parts {
  readonly required?: readonly string[];
  readonly allOf?: readonly JsonObject[];
  readonly comment?: JsonObject;
  readonly nested?: Record<string, JsonObject>;
}

/** The fields of branches stand among the properties too, as the editor writes them. */
export const object = (
  fields: Fields,
  { required = [], allOf = [], comment, nested: inner }: Parts = {},
): JsonObject => ({
  type: 'object',
  properties: fields,
  required: [...required],
  additionalProperties: false,
  ...(allOf.length > 0 && { allOf: [...allOf] }),
  ...(comment && { $comment: JSON.stringify(comment) }),
  ...(inner && {
    $defs: Object.fromEntries(Object.entries(inner).map(([name, each]) => [`#${name}`, { ...each, $id: `#${name}` }])),
  }),
});

/** Of the newer form, which an unanswered field does not meet. */
export const is = (name: string, value: JsonObject[string]): JsonObject => within(name, { const: value });
export const within = (name: string, part: JsonObject): JsonObject => ({
  properties: { [name]: part },
  required: [name],
});

/** `false` stands for a field that may not be there. */
export const when = (test: JsonObject, then: JsonObject, otherwise?: JsonObject): JsonObject => ({
  if: test,
  then: { properties: then },
  ...(otherwise && { else: { properties: otherwise } }),
});

export const recordOf = (document: JsonObject): SchemaRecord => ({
  id: '#form',
  name: 'Form',
  entity: 'VC',
  status: '',
  document,
  source: {},
});
