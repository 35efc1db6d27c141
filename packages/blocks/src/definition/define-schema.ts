/** `defineSchema`: a schema of a policy, written as a literal or with zod, whose documents have a type. */
import type { WrittenMember } from '@blockwork/core/records';
import { z } from 'zod';

/** A schema, as policies list them. */
export interface SchemaDefinition {
  readonly iri: string;
  readonly name?: string;
  readonly description?: string;
  readonly document: object;
  readonly [fact: string]: unknown;
}

declare const subject: unique symbol;

/** A JSON Schema of values of the type `Subject`. Only the compiler sees the mark. */
export interface JsonSchemaOf<Subject> {
  readonly [subject]?: Subject;
  readonly [keyword: string]: unknown;
}

/** As policies list it: a zod object becomes JSON Schema. */
export type WrittenSchema<Schema> = Schema extends { readonly document: z.ZodObject }
  ? {
      readonly [Name in keyof Schema]: Name extends 'document'
        ? JsonSchemaOf<z.infer<Schema['document']>>
        : Schema[Name];
    }
  : Schema;

/**
 * Returns the schema as it is, or with the JSON Schema of a zod object as its document.
 *
 * @example
 * const farm = defineSchema({
 *   iri: '#6c2d0000-0000-4000-8000-000000000001',
 *   name: 'Farm',
 *   document: z.object({ area: z.number().describe('Area in hectares') }),
 * });
 */
export function defineSchema<const Schema extends SchemaDefinition>(schema: Schema): WrittenSchema<Schema>;
export function defineSchema(schema: SchemaDefinition): SchemaDefinition {
  const { iri, name, description, document } = schema;
  if (!(document instanceof z.ZodObject)) return schema;
  const { $schema: _, properties, ...rest } = z.toJSONSchema(document, { target: 'draft-7' });
  const titled = Object.entries(properties ?? {}).map(([key, property]) => [key, withTitle(key, property)] as const);
  const head = {
    $id: iri,
    ...(name !== undefined && { title: name }),
    ...(description !== undefined && { description }),
  };
  return { ...schema, document: { ...head, ...rest, properties: Object.fromEntries(titled) } };
}

/** Lists show the title of a field, and forms its description. */
function withTitle(key: string, property: z.core.JSONSchema._JSONSchema): object {
  if (typeof property === 'boolean') return {};
  const { title = key, description = title } = property;
  return { title, description, ...property };
}

/** Types of the values of a JSON Schema, read as a literal type. References are to schemas of the same policy, by IRI. */
type ValueOf<Schema, All> = typeof subject extends keyof Schema
  ? NonNullable<Schema[typeof subject]>
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly const: infer Value }
      ? Value
      : Schema extends { readonly $ref: infer Iri }
        ? SubjectAt<All, Iri>
        : Schema extends { readonly type: 'array'; readonly items: infer Items }
          ? readonly ValueOf<Items, All>[]
          : Schema extends { readonly properties: object }
            ? ObjectOf<Schema, All>
            : Schema extends { readonly type: infer Name }
              ? Name extends keyof Primitives
                ? Primitives[Name]
                : unknown
              : unknown;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  array: readonly unknown[];
  object: object;
}

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ObjectOf<Schema extends { readonly properties: object }, All> = {
  readonly [
    Name in keyof Schema['properties'] as Name extends WrittenMember
      ? never
      : Name extends RequiredIn<Schema>
        ? Name
        : never
  ]: ValueOf<Schema['properties'][Name], All>;
} & {
  readonly [
    Name in keyof Schema['properties'] as Name extends WrittenMember
      ? never
      : Name extends RequiredIn<Schema>
        ? never
        : Name
  ]?: ValueOf<Schema['properties'][Name], All>;
};

type SchemaAt<All, Iri> = All extends readonly (infer Schema)[] ? Extract<Schema, { readonly iri: Iri }> : never;

type SubjectAt<All, Iri> = [SchemaAt<All, Iri>] extends [never] ? unknown : SubjectOf<SchemaAt<All, Iri>, All>;

/** What a document of the schema holds; `All` are the schemas of the policy, for those that it refers to. */
export type SubjectOf<Schema, All = readonly []> = Schema extends { readonly document: infer Document }
  ? ValueOf<Document, All>
  : unknown;
