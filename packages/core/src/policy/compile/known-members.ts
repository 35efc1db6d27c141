/** The members that an options schema knows, read from the schema itself. */
import { z } from 'zod';

export interface KnownMembers {
  /** Schemas by the name of the member. */
  readonly members: ReadonlyMap<string, z.core.$ZodType>;
  /** Schemas of the items, if the value may be a list. */
  readonly items: readonly z.core.$ZodType[];
  /** Whether other members are valid, too. */
  readonly isOpen: boolean;
  /** Whether the schema refuses other members: every object that the value may be is a `z.strictObject`. */
  readonly isStrict: boolean;
}

/** Looks inside optional, nullable and transformed schemas, and merges the alternatives of a union. */
export function membersOfSchema(schema: z.core.$ZodType): KnownMembers {
  const members = new Map<string, z.core.$ZodType>();
  const items: z.core.$ZodType[] = [];
  let isOpen = false;
  let isStrict = false;
  let isTolerant = false;
  const pending: z.core.$ZodType[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const definition = definitionOf(next);
    if (definition?.type === 'object') {
      for (const [name, member] of Object.entries(definition.shape)) members.set(name, member);
      const others = definition.catchall === undefined ? undefined : definitionOf(definition.catchall)?.type;
      if (others === 'never') isStrict = true;
      else isTolerant = true;
      isOpen ||= definition.catchall !== undefined && others !== 'never';
    } else if (definition?.type === 'array') items.push(definition.element);
    else pending.push(...innerSchemas(definition));
    // A schema of another kind, or of another library, may take any object.
    if (definition === undefined || takesAnything.has(definition.type)) isOpen = true;
  }
  return { members, items, isOpen, isStrict: isStrict && !isTolerant && !isOpen };
}

/** Members that are known to do nothing; see `tolerant.unused`. */
export const isUnused = (schema: z.core.$ZodType): boolean => z.globalRegistry.get(schema)?.deprecated === true;

const takesAnything: ReadonlySet<string> = new Set(['any', 'unknown', 'custom', 'record', 'map', 'lazy']);

type Definition = z.core.$ZodTypes['_zod']['def'];

const definitionOf = (schema: z.core.$ZodType): Definition | undefined =>
  '_zod' in schema ? (schema as z.core.$ZodTypes)._zod.def : undefined;

function innerSchemas(definition: Definition | undefined): readonly z.core.$ZodType[] {
  switch (definition?.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return [definition.innerType];
    case 'union':
      return definition.options;
    case 'intersection':
      return [definition.left, definition.right];
    case 'pipe':
      // The input side of a pipe, unless that is a transform.
      return definitionOf(definition.in)?.type === 'transform' ? [definition.out] : [definition.in];
    default:
      return [];
  }
}
