/** Field types of the workbook, and the JSON Schema of each. */
import type { Condition, Constant } from '../formulas/condition.js';
import { FormulaError } from '../formulas/formula.js';
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

/** Of a field with a nested schema, whose rows may be grouped below it. */
export const SUB_SCHEMA = 'Sub-Schema';

/** Types with a parameter, by the type of their values. */
const otherTypes: Readonly<Record<string, string>> = {
  Enum: 'string',
  Pattern: 'string',
  Prefix: 'number',
  Postfix: 'number',
  'Help Text': 'null',
};

/** Whether fields of the type have values of their own, and no nested fields. */
export const isValueType = (type: string): boolean =>
  Object.hasOwn(plainTypes, type) || Object.hasOwn(otherTypes, type);

function typeOfValues(type: string): unknown {
  if (Object.hasOwn(plainTypes, type)) return plainTypes[type]?.schema['type'];
  return Object.hasOwn(otherTypes, type) ? otherTypes[type] : undefined;
}

/**
 * The condition with its constants in the types of the fields, since spreadsheets compare `3` with "3" and TRUE with "true".
 * `typeOf` gives the field type of a key. Throws `FormulaError` where no answer to the field can equal the constant.
 */
export function typedCondition(condition: Condition, typeOf: (key: string) => string): Condition {
  if (condition.kind === 'not') return { kind: 'not', of: typedCondition(condition.of, typeOf) };
  if (condition.kind !== 'is') return { ...condition, of: condition.of.map((each) => typedCondition(each, typeOf)) };
  const { key, value } = condition;
  const typed = constantAs(value, typeOfValues(typeOf(key)));
  if (typed !== undefined) return { ...condition, value: typed };
  throw new FormulaError(
    `no answer to the field "${key}" of the type "${typeOf(key)}" can be ${JSON.stringify(value)}`,
  );
}

function constantAs(value: Constant, type: unknown): Constant | undefined {
  const text = String(value);
  switch (type) {
    case 'string':
      return typeof value === 'boolean' ? text.toUpperCase() : text;
    case 'boolean':
      return /^(true|false)$/i.test(text) ? /^true$/i.test(text) : undefined;
    case 'integer':
      return typeof value !== 'boolean' && /^-?\d+$/.test(text) ? Number(text) : undefined;
    case 'number':
      return typeof value !== 'boolean' && text.trim() !== '' && Number.isFinite(Number(text))
        ? Number(text)
        : undefined;
    default:
      return undefined;
  }
}

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
