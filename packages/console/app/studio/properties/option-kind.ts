/** How an option is edited, from its JSON Schema. */
import { isRecord, type Source } from '../draft/operations.js';

export type OptionKind =
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'number' }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly items: Source }
  | { readonly kind: 'json' };

export interface Member {
  readonly name: string;
  readonly schema: Source;
}

/** Objects and lists deeper than this are edited as JSON. */
const DEEPEST = 4;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schema that a local reference names. */
function resolved(schema: Source, root: Source): Source {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const name = reference.replace('#/$defs/', '');
  const defined = isRecord(root['$defs']) ? root['$defs'][name] : undefined;
  return isRecord(defined) ? defined : {};
}

/** `null` is left out: it means the same as nothing. */
export function partsOf(schema: Source, root: Source): Source[] {
  const { anyOf } = schema;
  const parts = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [schema];
  return parts.map((part) => resolved(part, root)).filter(({ type }) => type !== 'null');
}

const typesOf = ({ type }: Source): readonly unknown[] => (Array.isArray(type) ? type : [type]);

export function kindOf(schema: Source, root: Source, depth = 0): OptionKind {
  const parts = partsOf(resolved(schema, root), root);
  const has = (type: string): boolean => parts.some((part) => typesOf(part).includes(type));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && (has('object') || has('array'))) return holder(only, depth);
  if (has('object') || has('array') || only === undefined) return { kind: 'json' };
  if (has('boolean')) return { kind: 'flag' };
  const values = parts.flatMap((part) => ('const' in part ? [part['const']] : list(part['enum'])));
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
  if (texts.length > 0) return { kind: 'choice', values: texts };
  if (has('string')) return { kind: 'text' };
  return has('number') || has('integer') ? { kind: 'number' } : { kind: 'json' };
}

function holder(schema: Source, depth: number): OptionKind {
  if (depth >= DEEPEST) return { kind: 'json' };
  if (typesOf(schema).includes('array'))
    return isRecord(schema['items']) ? { kind: 'list', items: schema['items'] } : { kind: 'json' };
  const members = membersOf(schema);
  return members.length > 0 ? { kind: 'object', members } : { kind: 'json' };
}

export const membersOf = ({ properties }: Source): Member[] =>
  Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
    isRecord(schema) ? [{ name, schema }] : [],
  );

/** `presetSchema` becomes `Preset schema`. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
