/** A compiled policy: an immutable tree of blocks, indexed by uuid and tag, with its links resolved. */
import type { BlockSource, JsonObject, NavigationEntry, PolicyGroup } from '../../records/index.js';
import type { BlockDefinition } from './block-definition.js';
import type { Finding } from './finding.js';

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
