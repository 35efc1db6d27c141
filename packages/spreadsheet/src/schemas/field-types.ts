/** Field types of the workbook, and the JSON Schema of each. */
import {
  commentOf,
  isObject,
  mapComparisons,
  plainTypes as ofFields,
  type Condition,
  type Constant,
  type FieldTypeFacts,
  type Json,
} from '@blockwork/contract/schema-model';
import { FormulaError } from '../formulas/formula.js';

/** Types without a parameter. */
export const plainTypes: Readonly<Record<string, FieldTypeFacts>> = {
  ...ofFields,
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
  return mapComparisons(condition, (compared) => {
    const { path, value } = compared;
    const key = path.join('.');
    const typed = constantAs(value, typeOfValues(typeOf(key)));
    if (typed !== undefined) return { ...compared, value: typed };
    throw new FormulaError(
      `no answer to the field "${key}" of the type "${typeOf(key)}" can be ${JSON.stringify(value)}`,
    );
  });
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
