/** Field types of the workbook, and the JSON Schema of each. */
import { commentOf, isObject, type Json } from './schema.js';

const IMAGE = '^ipfs:\\/\\/.+';
const ACCOUNT = '^\\d+\\.\\d+\\.\\d+$';

interface FieldType {
  readonly schema: Json;
  /** In the comment of the property. */
  readonly comment?: Json;
}

/** Types without a parameter. */
export const plainTypes: Readonly<Record<string, FieldType>> = {
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
  Image: { schema: { type: 'string', pattern: IMAGE } },
  File: { schema: { type: 'string', pattern: IMAGE }, comment: { customType: 'file' } },
  GeoJSON: { schema: { $ref: '#GeoJSON' }, comment: { customType: 'geo' } },
  SentinelHUB: { schema: { $ref: '#SentinelHUB' }, comment: { customType: 'sentinel' } },
  HederaAccount: { schema: { type: 'string', pattern: ACCOUNT }, comment: { customType: 'hederaAccount' } },
  'Rich Text': { schema: { type: 'string' }, comment: { customType: 'richText' } },
  'Auto-Calculate': { schema: { type: 'number' }, comment: { autocalculate: true } },
};

export interface TypeOfField {
  readonly type: string;
  readonly parameter?: string;
}

/** The values of a list, and its name. */
export interface NamedList {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Names {
  /** The text that refers to a schema. */
  schema(iri: string): string;
  /** Registers a list, and returns the name that it has in the workbook. */
  list(list: NamedList): string;
}

/** `undefined` for what the workbook has no type for. */
export function typeOfProperty(key: string, property: Json, names: Names): TypeOfField {
  const items = property['items'];
  const core = property['type'] === 'array' && isObject(items) ? items : property;
  const { $ref, type, format, pattern, enum: values } = core;
  const { customType, unit, unitSystem, enumName, textColor, textSize, textBold } = commentOf(property);
  if (typeof $ref === 'string' && type === undefined) {
    const special = Object.keys(plainTypes).find((name) => plainTypes[name]?.schema['$ref'] === $ref);
    return { type: special ?? names.schema($ref) };
  }
  if (Array.isArray(values)) {
    const name = typeof enumName === 'string' && enumName !== '' ? enumName : key;
    return { type: 'Enum', parameter: names.list({ name, values: values.map(String) }) };
  }
  if ((type === 'number' || type === 'integer') && typeof unit === 'string' && unit !== '') {
    return { type: unitSystem === 'prefix' ? 'Prefix' : 'Postfix', parameter: unit };
  }
  if (type === 'null') {
    const font = { color: textColor ?? '#000000', size: textSize ?? '18px', bold: textBold ?? false };
    return { type: 'Help Text', parameter: JSON.stringify(font) };
  }
  if (customType === 'file' || customType === 'hederaAccount' || customType === 'richText') {
    return { type: customType === 'file' ? 'File' : customType === 'richText' ? 'Rich Text' : 'HederaAccount' };
  }
  if (typeof pattern === 'string') {
    return pattern.includes('ipfs') ? { type: 'Image' } : { type: 'Pattern', parameter: pattern };
  }
  const plain = Object.keys(plainTypes).find((name) => {
    const { schema, comment } = plainTypes[name] ?? { schema: {} };
    return comment === undefined && schema['type'] === type && schema['format'] === format;
  });
  return { type: plain ?? 'String' };
}
