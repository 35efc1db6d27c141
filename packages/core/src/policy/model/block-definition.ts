/** What the compiler must know of a block type; the runtime's `Block` adds what it does. */
import type { z } from 'zod';
import type { BlockNode, PolicyTree } from './policy-tree.js';
import type { Finding } from './finding.js';

/** What a block is to the blocks around it. */
export type BlockKind =
  /** Holds other blocks and shows them. */
  | 'container'
  /** Shows or takes something itself. */
  | 'interface'
  /** Is only ever run by events. */
  | 'server'
  /** Addons: supply documents, narrow them, cut them into pages, or add to each of them. */
  | 'source'
  | 'filter'
  | 'paging'
  | 'history'
  /** Any other addon, known only to its own parent. */
  | 'addon';

export interface BlockAbout {
  /** The `blockType` of policies. */
  readonly type: string;
  readonly title: string;
  /** One or two sentences for policy authors. */
  readonly description: string;
  readonly kind: BlockKind;
  /** Which children make sense. Others are a warning, and are left alone. */
  readonly children: 'any' | 'none' | readonly BlockKind[];
  /** Types of parent under which the block makes sense; any when absent. */
  readonly parents?: readonly string[];
  /** Input events beyond `RunEvent` and `RefreshEvent`, which every block has. */
  readonly inputs?: readonly string[];
  /** Output events that do not depend on the options. */
  readonly outputs?: readonly string[];
}

export interface BlockDefinition<Options = unknown> {
  readonly about: BlockAbout;
  /** Validates and completes the options when a policy is compiled. */
  readonly options: z.ZodType<Options>;
  /** Output events that the options add: tags of buttons, of conditions. */
  outputs?(options: Options): readonly string[];
  /** What a policy author got wrong, beyond what the options schema sees. */
  check?(node: BlockNode, options: Options, policy: PolicyTree): Finding[];
}

/** The block types that an engine knows, by `blockType`. */
export type BlockCatalog = ReadonlyMap<string, BlockDefinition>;
