/** The block types of an engine, described for authors and editors of policies. */
import { z } from 'zod';
import type { BlockType } from '../../block-api/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { standardInputs, standardOutputs, type BlockKind } from '../../policy/index.js';
import type { JsonObject } from '../../records/index.js';

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

/** Options that JSON Schema cannot express are left open. */
function optionsOf({ options }: BlockType): JsonObject {
  if (options === undefined) return { type: 'object' };
  const { $schema: _, ...schema } = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return { type: 'object', ...schema };
}
