/** Compatibility of a foreign schema with a policy's own schema. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { commentOf, definitionsIn, propertiesOf, resolved } from '../schemas/index.js';

/** Levels of nested objects that are compared. */
const LEVELS = 20;

/** Each field of `own` that a user fills in is in `foreign` as well, with the same name, meaning and type, at every level. */
export const isCompatible = (own: JsonObject, foreign: JsonObject): boolean =>
  agree(sideOf(own, definitionsIn(own)), sideOf(foreign, definitionsIn(foreign)), 0);

interface Side {
  readonly schema: Record<string, unknown>;
  readonly definitions: ReadonlyMap<string, Record<string, unknown>>;
}

const sideOf = (schema: Record<string, unknown>, definitions: Side['definitions']): Side => ({ schema, definitions });

function agree(own: Side, foreign: Side, level: number): boolean {
  if (level > LEVELS) return false;
  const others = propertiesOf(foreign.schema);
  return Object.entries(propertiesOf(own.schema)).every(([name, property]) => {
    if (isObject(property) && property.readOnly === true) return true;
    const other = Object.hasOwn(others, name) ? others[name] : undefined;
    const required = isRequired(own.schema, name) === isRequired(foreign.schema, name);
    return (
      required && fieldsAgree({ ...own, schema: asSchema(property) }, { ...foreign, schema: asSchema(other) }, level)
    );
  });
}

const asSchema = (property: unknown): Record<string, unknown> => (isObject(property) ? property : {});

const isRequired = ({ required }: Record<string, unknown>, name: string): boolean =>
  Array.isArray(required) && required.includes(name);

function fieldsAgree(own: Side, foreign: Side, level: number): boolean {
  if (!alike(own.schema, foreign.schema, ['title', 'description'])) return false;
  const [ownList, foreignList] = [own, foreign].map(({ schema }) => schema.type === 'array');
  if (ownList !== foreignList) return false;
  const [mine, theirs] = [inner(own), inner(foreign)];
  const isRef = typeof mine.schema.$ref === 'string';
  if (isRef !== (typeof theirs.schema.$ref === 'string')) return false;
  if (isRef) {
    const [here, there] = [resolved(mine.schema, own.definitions), resolved(theirs.schema, foreign.definitions)];
    return (
      here !== undefined &&
      there !== undefined &&
      agree({ ...own, schema: here }, { ...foreign, schema: there }, level + 1)
    );
  }
  const [ours, others] = [commentOf(own.schema), commentOf(foreign.schema)];
  return (
    alike(mine.schema, theirs.schema, ['type', 'format', 'pattern']) &&
    alike(ours, others, ['unit', 'unitSystem', 'customType'])
  );
}

const inner = (side: Side): Side =>
  side.schema.type === 'array' ? { ...side, schema: asSchema(side.schema.items) } : side;

const alike = (a: Record<string, unknown>, b: Record<string, unknown>, members: readonly string[]): boolean =>
  members.every((member) => (a[member] ?? '') === (b[member] ?? ''));
