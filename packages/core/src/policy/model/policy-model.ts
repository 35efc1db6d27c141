/** The model of a policy: what a block type declares, and the immutable tree that a policy is compiled into. */
import type { z } from 'zod';
import type { BlockSource, JsonObject, NavigationEntry, PolicyGroup } from '../../records/index.js';
import type { Finding } from './finding.js';
import type { Reference } from './reference.js';

/**
 * The role of a block in the tree.
 * - `container` holds and shows other blocks. It receives the `RefreshEvent` of its children without a written link.
 * - `interface` shows data, takes data, or both.
 * - `server` runs only on events.
 * - `source` supplies its parent with documents, `filter` narrows them, `paging` divides them into pages, and `history`
 *   adds earlier versions. `paging` and `filter` blocks with `defaultActive: false` are switched off.
 * - `addon` is any other block that only serves its parent.
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

/** The declarations of a block type, which the compiler needs. `BlockType` adds its behaviour. */
export interface BlockDefinition<Options = unknown> {
  /** The `blockType` in policies. */
  readonly type: string;
  readonly title: string;
  /** One or two sentences for policy authors. */
  readonly description: string;
  readonly kind: BlockKind;
  /** Allowed kinds of children; others are a warning. Default: none. */
  readonly children?: 'any' | 'none' | readonly BlockKind[];
  /** Block types under which the block works. Default: any. */
  readonly parents?: readonly string[];
  /** Input events in addition to `RunEvent` and `RefreshEvent`, which every block has. */
  readonly inputs?: readonly string[];
  /** Output events in addition to `RunEvent`, `RefreshEvent` and `ReleaseEvent`, which every block has. */
  readonly outputs?: readonly string[] | OutputsOfOptions<Options>;
  /**
   * The block emits a `RunEvent` whenever a run reaches it, without waiting or branching. A cycle of such blocks never
   * ends and is reported as a finding.
   */
  readonly passesOn?: true;
  /** Inputs named in the options, in addition to `inputs`. Their events go to the type's `onPort`. */
  ports?(options: Options): readonly string[];
  /** Validates and completes the options when a policy is compiled. Without it, the block has no options. */
  readonly options?: z.ZodType<Options>;
  /** Names in the options that refer to other parts of the policy. Names that do not exist are findings. */
  references?(options: Options): readonly Reference[];
  /** Checks beyond the options schema. */
  check?(node: BlockNode, options: Options, policy: PolicyTree): readonly Finding[];
}

/** Outputs derived from options or tags of children, such as tags of buttons. A method type, so that definitions stay assignable. */
export type OutputsOfOptions<Options> = {
  outputs(options: Options, childTags: readonly string[]): readonly string[];
}['outputs'];

/** The block types that an engine knows, by `blockType`. */
export type BlockCatalog = ReadonlyMap<string, BlockDefinition>;

export interface BlockNode {
  readonly uuid: string;
  /** Unique in the policy. Equals the uuid if the author gave none; see `named`. */
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
  /** Blocks that must complete for a user before this one opens. Unknown names are left out. */
  readonly dependencies: readonly BlockNode[];
  /** `null` if the block type is unknown. */
  readonly definition: BlockDefinition | null;
  /** Validated by the definition's schema; `null` if invalid or the type is unknown. */
  readonly options: unknown;
  /** Why `options` is `null`; empty otherwise. */
  readonly optionsError: string;
  /** Outgoing links by output event, in the order in which they fire. */
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
  /** The user for whom the target runs. */
  readonly actor: 'initiator' | 'owner' | 'issuer';
}

/** Reaction to a failure in a block (reference: `onErrorAction`). */
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
