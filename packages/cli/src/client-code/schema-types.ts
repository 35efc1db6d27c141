/** TypeScript types for the JSON Schemas of a policy's interface. */
import type { PolicyInterface } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { memberName, typeNames } from './names.js';

export interface SchemaTypes {
  /** Declarations of all named schemas. */
  readonly text: string;
  /** The type described by a schema. */
  readonly typeOf: (schema: unknown) => string;
}

export function schemaTypes(schemas: PolicyInterface['schemas']): SchemaTypes {
  const typeOf = typeWriter(typeNames(Object.keys(schemas)));
  const declared = Object.entries(schemas).map(([name, schema]) => {
    const { title } = schema;
    const about = comment(typeof title === 'string' ? title : name);
    return `/** ${about} */\n${declaration(typeOf(refTo(name)), typeOf(schema), isInterface(schema))}\n`;
  });
  return { text: declared.join('\n'), typeOf };
}

/** Only a plain object schema becomes an interface: GeoJSON, for example, is a union. */
const isInterface = (schema: object): boolean =>
  'properties' in schema && !['anyOf', 'oneOf', 'enum', 'const'].some((word) => word in schema);

const declaration = (name: string, type: string, isOne: boolean): string =>
  isOne ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;

const refTo = (name: string): object => ({ $ref: `#/$defs/${name}` });

/** Members and alternatives of a schema apply together; some alternatives only add required members. */
const both = (members: string | undefined, alternatives: string): string =>
  members === undefined ? alternatives : alternatives === 'unknown' ? members : `${members} & (${alternatives})`;

const ROW = 'Readonly<Record<string, unknown>>';

function typeWriter(names: ReadonlyMap<string, string>): (schema: unknown) => string {
  const union = (schemas: readonly unknown[]): string => [...new Set(schemas.map(typeOf))].join(' | ') || 'never';
  const literals = (values: readonly unknown[]): string =>
    values.map((value) => JSON.stringify(value)).join(' | ') || 'never';

  function typeOf(schema: unknown): string {
    if (!isObject(schema)) return 'unknown';
    const { $ref, type, items, enum: values, anyOf, oneOf } = schema;
    if (typeof $ref === 'string') return names.get($ref.replace('#/$defs/', '')) ?? 'unknown';
    if (Array.isArray(values)) return literals(values);
    if ('const' in schema) return literals([schema['const']]);
    if (Array.isArray(type)) return union(type.map((each: unknown) => ({ ...schema, type: each })));
    const alternatives = [anyOf, oneOf].find((each): each is unknown[] => Array.isArray(each));
    const members = 'properties' in schema ? `{\n${membersOf(schema)}}` : undefined;
    if (alternatives !== undefined) return both(members, union(alternatives));
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return `readonly (${typeOf(items)})[]`;
      default:
        return members ?? (type === 'object' ? ROW : 'unknown');
    }
  }

  function membersOf({ properties, required }: Readonly<Record<string, unknown>>): string {
    const needed: unknown[] = Array.isArray(required) ? required : [];
    return Object.entries(isObject(properties) ? properties : {})
      .map(([name, property]) => {
        const { title, description } = isObject(property) ? property : {};
        const about = [title, description].find((text) => typeof text === 'string' && text !== name);
        const said = typeof about === 'string' ? `  /** ${comment(about)} */\n` : '';
        return `${said}  readonly ${memberName(name)}${needed.includes(name) ? '' : '?'}: ${indented(typeOf(property))};\n`;
      })
      .join('');
  }

  return typeOf;
}

/** Schema texts are JSON or a single line, so every line break separates members. */
const indented = (type: string): string => type.replaceAll('\n', '\n  ');

/** Escapes text from a policy so that it cannot end the comment. */
export const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
