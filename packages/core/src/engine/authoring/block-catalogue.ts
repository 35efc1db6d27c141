/** The block types of an engine, described for authors and editors of policies. */
import { z } from 'zod';
import type { BlockType } from '../../block-api/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { standardInputs, standardOutputs, type BlockKind } from '../../policy/index.js';
import { isObject, type JsonObject } from '../../records/index.js';

export interface BlockTypeSummary {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly kind: BlockKind;
  /** Kinds of children that it works with. */
  readonly children: 'any' | 'none' | readonly BlockKind[];
  /** Block types under which it works; `null` for any. */
  readonly parents: readonly string[] | null;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly inputs: readonly string[];
  /** Those that every block of the type has. */
  readonly outputs: readonly string[];
  /** Whether its options add outputs, such as the tags of its buttons. */
  readonly moreOutputs: boolean;
  /** JSON Schema of its options, beside the members that every block has. */
  readonly options: JsonObject;
}

const catalogues = new WeakMap<BlockRegistry, readonly BlockTypeSummary[]>();

/** Sorted by type. The schemas are written once for each registry. */
export function blockCatalogue(registry: BlockRegistry): readonly BlockTypeSummary[] {
  let catalogue = catalogues.get(registry);
  if (catalogue === undefined) {
    catalogue = [...registry.values()].map(summary).sort((a, b) => (a.type < b.type ? -1 : 1));
    catalogues.set(registry, catalogue);
  }
  return catalogue;
}

function summary(block: BlockType): BlockTypeSummary {
  const { type, title, description, kind, children = 'none', parents = null, inputs = [], outputs = [] } = block;
  const hasOwn = typeof outputs !== 'function';
  return {
    type,
    title,
    description,
    kind,
    children,
    parents,
    readable: block.read !== undefined,
    writable: block.receive !== undefined,
    inputs: [...standardInputs, ...inputs],
    outputs: [...standardOutputs, ...(hasOwn ? outputs : [])],
    moreOutputs: !hasOwn,
    options: optionsOf(block),
  };
}

/** With what each option means, and what it is when it is left out. Options that JSON Schema cannot express are left open. */
function optionsOf({ options, optionTexts = {} }: BlockType): JsonObject {
  if (options === undefined) return { type: 'object' };
  const { $schema: _, ...schema } = z.toJSONSchema(options, {
    io: 'input',
    unrepresentable: 'any',
    override: nameValues,
  }) as JsonObject;
  const read = options.safeParse({});
  const defaults: unknown = read.success ? read.data : {};
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(
    ([name, option]) => {
      const description = optionTexts[name];
      const value = isObject(defaults) ? defaults[name] : undefined;
      const added = { ...(description !== undefined && { description }), ...(isPlain(value) && { default: value }) };
      return [name, isObject(option) ? { ...added, ...option } : option];
    },
  );
  return { type: 'object', ...schema, properties: Object.fromEntries(properties) as JsonObject };
}

const isPlain = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';

/** A text that is read as one of several values, in any case. */
function nameValues({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'pipe') return;
  const out = def.out as z.core.$ZodTypes;
  if (out._zod.def.type === 'enum') jsonSchema.enum = Object.values(out._zod.def.entries);
}
