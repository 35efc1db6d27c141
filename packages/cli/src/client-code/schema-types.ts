/** TypeScript types for the JSON Schemas of a policy's interface. */
import type { PolicyInterface } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { memberName, typeNames } from './names.js';

export interface SchemaTypes {
  /** Declarations of all named schemas. */
  readonly text: string;
  /** The type of what a schema describes. */
  readonly typeOf: (schema: unknown) => string;
}

export function schemaTypes(schemas: PolicyInterface['schemas']): SchemaTypes {
  const typeOf = typeWriter(typeNames(Object.keys(schemas)));
  const declared = Object.entries(schemas).map(([name, schema]) => {
    const { title } = schema;
    return `/** ${comment(typeof title === 'string' ? title : name)} */\nexport interface ${typeOf(refTo(name))} ${typeOf(schema)}\n`;
  });
  return { text: declared.join('\n'), typeOf };
}

const refTo = (name: string): object => ({ $ref: `#/$defs/${name}` });

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
    if (Array.isArray(anyOf)) return union(anyOf);
    if (Array.isArray(oneOf)) return union(oneOf);
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
        return 'properties' in schema ? `{\n${membersOf(schema)}}` : type === 'object' ? ROW : 'unknown';
    }
  }

  function membersOf({ properties, required }: Readonly<Record<string, unknown>>): string {
    const needed: unknown[] = Array.isArray(required) ? required : [];
    return Object.entries(isObject(properties) ? properties : {})
      .map(([name, property]) => {
        const { title, description } = isObject(property) ? property : {};
        const about = [title, description].find((text) => typeof text === 'string' && text !== name);
        const said = typeof about === 'string' ? `  /** ${comment(about)} */\n` : '';
        return `${said}  readonly ${memberName(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(property)};\n`;
      })
      .join('');
  }

  return typeOf;
}

/** Text from a policy cannot end the comment. */
export const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
