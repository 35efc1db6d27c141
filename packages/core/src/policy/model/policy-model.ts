/** The model of a policy: what a block type declares, and the immutable tree that a policy is compiled into. */
import type { z } from 'zod';
import type { BlockSource, JsonObject, NavigationEntry, PolicyGroup } from '../../records/index.js';
import type { Finding } from './finding.js';
import type { Reference } from './reference.js';

/**
 * The role of a block in the tree.
 * - `container` holds other blocks and shows them. Its children's `RefreshEvent` reaches it by itself.
 * - `interface` shows data, takes data, or both.
 * - `server` runs only on events.
 * - `source` supplies its parent with documents, `filter` narrows them, `paging` cuts them into pages, and `history`
 *   adds to each of them. `paging` and `filter` blocks with `defaultActive: false` are switched off.
 * - `addon` is any other block that works for its parent only.
 */
export type BlockKind = (typeof blockKinds)[number];

export const blockKinds = [
  'container',
  'interface',
  'server',
  'source',
  'filter',
  'paging',
  'history',
  'addon',
] as const;

/** What the compiler needs to know of a block type. `BlockType` adds what its blocks do. */
export interface BlockDefinition<Options = unknown> {
  /** The `blockType` of policies. */
  readonly type: string;
  readonly title: string;
  /** One or two sentences for policy authors. */
  readonly description: string;
  readonly kind: BlockKind;
  /** Kinds of children that make sense; none when absent. Others are a warning. */
  readonly children?: 'any' | 'none' | readonly BlockKind[];
  /** Types of parent under which the block works; any when absent. */
  readonly parents?: readonly string[];
  /** Input events that the block takes besides `RunEvent` and `RefreshEvent`, which every block has. */
  readonly inputs?: readonly string[];
  /** Output events that the block emits besides `RunEvent`, `RefreshEvent` and `ReleaseEvent`, which every block has. */
  readonly outputs?: readonly string[] | OutputsOfOptions<Options>;
  /** Validates and completes the options when a policy is compiled. Without it, the block has no options. */
  readonly options?: z.ZodType<Options>;
  /** What the options name elsewhere in the policy. A name that the policy does not have is a finding. */
  references?(options: Options): readonly Reference[];
  /** What a policy author got wrong, beyond what the options schema sees. */
  check?(node: BlockNode, options: Options, policy: PolicyTree): readonly Finding[];
}

/** Outputs that depend on the options: tags of buttons, of conditions. A method type, so that definitions stay assignable. */
export type OutputsOfOptions<Options> = { outputs(options: Options): readonly string[] }['outputs'];

/** The block types that an engine knows, by `blockType`. */
export type BlockCatalog = ReadonlyMap<string, BlockDefinition>;

export interface BlockNode {
  readonly uuid: string;
  /** Unique in the policy. Where the author gave none, the uuid stands in; `named` says which. */
  readonly tag: string;
  readonly named: boolean;
  readonly blockType: string;
  readonly permissions: readonly string[];
  readonly defaultActive: boolean;
  readonly uiMetaData: JsonObject;
  /** Position among the parent's children; 0 for the root. */
  readonly index: number;
  readonly parent: BlockNode | null;
  readonly children: readonly BlockNode[];
  /** Blocks that must complete for a user before this one opens. Names that do not exist are left out. */
  readonly dependencies: readonly BlockNode[];
  /** `null` where the engine does not know the block type. */
  readonly definition: BlockDefinition | null;
  /** Validated by the definition's schema; `null` where they are not valid or the type is unknown. */
  readonly options: unknown;
  /** Why `options` is `null`; empty otherwise. */
  readonly optionsError: string;
  /** Links that start here, by output event, in the order in which they fire. */
  readonly links: ReadonlyMap<string, readonly EventLink[]>;
  readonly onError: ErrorAction;
  /** The block as written. */
  readonly source: BlockSource;
  /** JSON pointer of the block in the configuration. */
  readonly path: string;
}

export interface EventLink {
  readonly output: string;
  readonly input: string;
  readonly target: BlockNode;
  /** In whose name the target runs. */
  readonly actor: 'initiator' | 'owner' | 'issuer';
}

/** What to do when a run fails in a block (reference: `onErrorAction`). */
export type ErrorAction =
  | { readonly action: 'no-action' }
  | { readonly action: 'retry'; readonly timeoutMs: number }
  | { readonly action: 'goto-step'; readonly step: number }
  | { readonly action: 'goto-tag'; readonly tag: string };

export interface PolicyTree {
  readonly root: BlockNode;
  /** Every block, parents before children, children in order. */
  readonly blocks: readonly BlockNode[];
  readonly byUuid: ReadonlyMap<string, BlockNode>;
  /** Named blocks only. */
  readonly byTag: ReadonlyMap<string, BlockNode>;
  /** Blocks that some other block depends on. */
  readonly dependedOn: ReadonlySet<BlockNode>;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  readonly navigation: readonly NavigationEntry[];
  readonly findings: readonly Finding[];
}
