/** The types of fields, by the names that workbooks and editors show, and the JSON Schema of each. */
import { isObject, type Json } from './json.js';

const IPFS = '^ipfs:\\/\\/.+';
const ACCOUNT = '^\\d+\\.\\d+\\.\\d+$';

export interface FieldTypeFacts {
  readonly schema: Json;
  /** In the comment of the property. */
  readonly comment?: Json;
}

export const plainTypes = {
  Number: { schema: { type: 'number' } },
  Integer: { schema: { type: 'integer' } },
  String: { schema: { type: 'string' } },
  Boolean: { schema: { type: 'boolean' } },
  Date: { schema: { type: 'string', format: 'date' } },
  Time: { schema: { type: 'string', format: 'time' } },
  DateTime: { schema: { type: 'string', format: 'date-time' } },
  Duration: { schema: { type: 'string', format: 'duration' } },
  URL: { schema: { type: 'string', format: 'url' } },
  URI: { schema: { type: 'string', format: 'uri' } },
  Email: { schema: { type: 'string', format: 'email' } },
  Image: { schema: { type: 'string', pattern: IPFS } },
  File: { schema: { type: 'string', pattern: IPFS }, comment: { customType: 'file' } },
  GeoJSON: { schema: { $ref: '#GeoJSON' }, comment: { customType: 'geo' } },
  SentinelHUB: { schema: { $ref: '#SentinelHUB' }, comment: { customType: 'sentinel' } },
  HederaAccount: { schema: { type: 'string', pattern: ACCOUNT }, comment: { customType: 'hederaAccount' } },
  'Rich Text': { schema: { type: 'string' }, comment: { customType: 'richText' } },
} as const satisfies Readonly<Record<string, FieldTypeFacts>>;

/** Types whose fields say more: the choices of an `Enum`, the schema of a `Reference`, the style of a `Help Text`. */
const otherTypes = {
  Enum: { schema: { type: 'string' }, comment: { customType: 'enum' } },
  Table: { schema: { type: 'string' }, comment: { customType: 'table' } },
  Continent: { schema: { type: 'string' }, comment: { customType: 'continent' } },
  Country: { schema: { type: 'string' }, comment: { customType: 'country' } },
  State: { schema: { type: 'string' }, comment: { customType: 'state' } },
  'Help Text': { schema: { type: 'null' } },
  Reference: { schema: {} },
  Other: { schema: {} },
} as const satisfies Readonly<Record<string, FieldTypeFacts>>;

export const fieldTypes: Readonly<Record<FieldType, FieldTypeFacts>> = { ...plainTypes, ...otherTypes };

export type FieldType = keyof typeof plainTypes | keyof typeof otherTypes;

export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[];

/** `core` is the property, or the items of a list. */
export function typeOfCore(core: Json, { customType }: Json): FieldType {
  const { $ref, type, format, pattern, enum: values, oneOf } = core;
  if (typeof $ref === 'string' && type === undefined) {
    return fieldTypeNames.find((name) => fieldTypes[name].schema['$ref'] === $ref) ?? 'Reference';
  }
  if (Array.isArray(values) || typeof $ref === 'string') return 'Enum';
  if (oneOf !== undefined || isObject(core['properties'])) return 'Other';
  const named = fieldTypeNames.find((name) => {
    const { schema, comment } = fieldTypes[name];
    return comment !== undefined && comment['customType'] === customType && schema['type'] === type;
  });
  if (named !== undefined) return named;
  if (pattern === IPFS) return 'Image';
  return (
    fieldTypeNames.find((name) => {
      const { schema, comment } = fieldTypes[name];
      return comment === undefined && type !== undefined && schema['type'] === type && schema['format'] === format;
    }) ?? 'Other'
  );
}
