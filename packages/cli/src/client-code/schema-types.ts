/** TypeScript types of the documents that a policy's schemas describe. */
import type { PolicyFile } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { memberName, typeNames } from './names.js';

export interface SchemaTypes {
  /** Declarations of all named schemas. */
  readonly text: string;
  /** The type of a document of a schema, by its IRI. */
  readonly nameOf: ReadonlyMap<string, string>;
}

export function schemaTypes(schemas: PolicyFile['schemas']): SchemaTypes {
  const names = typeNames(schemas.map(({ name }) => name));
  const nameOf = new Map(schemas.map(({ id }, index) => [id, names[index] ?? 'Document']));
  const declared = schemas.map(({ id, name, document }) => {
    const members = membersOf(document ?? {}, nameOf);
    return `/** ${comment(name)} */\nexport interface ${nameOf.get(id) ?? ''} {\n${members}}\n`;
  });
  return { text: declared.join('\n'), nameOf };
}

/** What the server adds to every document itself. */
const ofTheServer = new Set(['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion']);

function membersOf(schema: Readonly<Record<string, unknown>>, nameOf: ReadonlyMap<string, string>): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties)
    .filter(([name, property]) => !ofTheServer.has(name) && !(isObject(property) && property['readOnly'] === true))
    .map(([name, property]) => {
      const facts = isObject(property) ? property : {};
      const title = facts['title'] ?? facts['description'];
      const about = typeof title === 'string' && title !== name ? `  /** ${comment(title)} */\n` : '';
      return `${about}  readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(facts, nameOf)};\n`;
    })
    .join('');
}

function typeOf(schema: Readonly<Record<string, unknown>>, nameOf: ReadonlyMap<string, string>): string {
  const { $ref, type, items } = schema;
  if (typeof $ref === 'string') return nameOf.get($ref) ?? 'unknown';
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ') || 'never';
  switch (type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `readonly (${isObject(items) ? typeOf(items, nameOf) : 'unknown'})[]`;
    case 'object':
      return isObject(schema['properties']) ? `{\n${membersOf(schema, nameOf)}}` : 'Readonly<Record<string, unknown>>';
    default:
      return 'unknown';
  }
}

/** Text from a policy cannot end the comment. */
export const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
