/** The model of a policy: what a block type declares, and the immutable tree that a policy is compiled into. */
import type { z } from 'zod';
import type { BlockSource, JsonObject, NavigationEntry, PolicyGroup } from '../../records/index.js';

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
  /** What the options mean, by name, for editors: those whose schemas have no description of their own. */
  readonly optionTexts?: Readonly<Record<string, string>>;
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

/**
 * - `schema`: the IRI of a schema. `token`: the id of a token.
 * - `tokenTemplate`: the `templateTokenTag` of a token template. `topic`: the name of a topic.
 * - `group`: the name of a group. `role`: the name of a role. `field`: a field of the documents that reach the block.
 * - `text`: any text that may be replaced by a module variable.
 */
export type ReferenceTarget = (typeof referenceTargets)[number];

export const referenceTargets = [
  'schema',
  'token',
  'tokenTemplate',
  'topic',
  'group',
  'role',
  'field',
  'text',
] as const;

export interface Reference {
  readonly to: ReferenceTarget;
  /** The name as written. An empty name is not checked. */
  readonly name: string;
  /** JSON pointer to the option, relative to the block, such as `/schema`. */
  readonly path: string;
  /** Default: `error`, the block cannot work without it. `warning`: without it, the block shows nothing. */
  readonly severity?: Finding['severity'];
}

/**
 * `error`: the block cannot work as written, or would show or do something it should not. `warning`: it works, but part
 * of it has no effect. `information`: worth knowing, and common in correct policies. None prevents an import.
 */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'information';
  readonly code: FindingCode;
  readonly message: string;
  /** JSON pointer (RFC 6901) into the policy's configuration; empty for the policy as a whole. */
  readonly path: string;
  /** UUID of the block, if the finding is about one. */
  readonly block?: string;
  readonly tag?: string;
  /** JSON pointer into the file, for what is not in the configuration, such as `/policyRoles/0`. */
  readonly pointer?: string;
  /** The file that it is in, if the policy was read from an archive, such as `policy.json` or `schemas/report.json`. */
  readonly file?: string;
  /** Where it is in the text that the policy was read from, if it was read from one; counted from 1. */
  readonly line?: number;
  readonly column?: number;
  /** What would mend it, most likely first; absent if nothing is known. */
  readonly suggestions?: readonly Suggestion[];
}

/**
 * One change that would mend a finding. `at` is a JSON pointer into the configuration, as `path` is, or into the file for a finding
 * that has a `pointer`, or into the document of the schema that `schema` names by its IRI.
 */
export type Suggestion =
  /** This value is meant there. */
  | {
      readonly kind: 'value';
      readonly at: string;
      readonly value: string | number | boolean;
      readonly schema?: string;
    }
  /** What is there is too much. */
  | { readonly kind: 'removal'; readonly at: string; readonly schema?: string }
  /** The member there is meant to have this name. */
  | { readonly kind: 'name'; readonly at: string; readonly name: string }
  /** The block there lacks such a child, or, with `place`, such a block right after it. */
  | { readonly kind: 'block'; readonly at: string; readonly blockType: string; readonly place?: 'after' };

export type FindingCode =
  | 'BLOCK_TYPE_UNKNOWN'
  | 'BLOCK_MISPLACED'
  | 'ADDON_SWITCHED_OFF'
  | 'OPTIONS_INVALID'
  | 'OPTION_MISSPELT'
  | 'OPTION_UNKNOWN'
  | 'OPTION_IGNORED'
  | 'PERMISSION_UNKNOWN'
  | 'PERMISSION_MISSING'
  | 'BLOCK_UNREACHABLE'
  | 'TAG_MISSING'
  | 'TAG_REPEATED'
  | 'REFERENCE_UNKNOWN'
  | 'TOOL_MISSING'
  | 'TOOL_UNFIT'
  | 'LINK_DANGLING'
  | 'LINK_REPEATED'
  | 'LINK_NEVER_FIRES'
  | 'LINK_CIRCULAR'
  | 'DEPENDENCY_UNKNOWN'
  | 'DEPENDENCY_CIRCULAR'
  | 'SECRET_LITERAL'
  | 'SCHEMA_UNREADABLE'
  | 'SCHEMA_INVALID'
  | 'SCHEMA_DOUBTFUL'
  | 'TOKEN_UNREADABLE'
  | 'ROLE_UNKNOWN'
  | 'ROLE_UNREACHABLE'
  | 'VALUE_UNWRITTEN'
  | 'VALUE_UNREAD'
  | 'DOCUMENT_UNSAVED'
  | 'RECORD_FIELD_INVALID'
  | 'FILE_IGNORED'
  | 'MIGRATED';
