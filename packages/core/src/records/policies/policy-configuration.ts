/** The block tree of a policy as it is stored (reference policies: the `config` member of `policy.json`). */

export interface PolicyConfiguration {
  /** The policy's id. */
  id: string;
  /** The root block. */
  config: BlockSource;
  /** Came as an archive, which may lack schemas and tokens that its blocks name: those are then no errors of the author. */
  archived?: boolean;
}

/** A block as written in a policy. Keys beyond these are the block's own options. */
export interface BlockSource {
  id: string;
  blockType: string;
  /** Unique in the policy; empty if the author gave none, which is usual for the root only. */
  tag: string;
  permissions: string[];
  defaultActive: boolean;
  uiMetaData: Record<string, unknown>;
  events: EventSource[];
  /** Further links of a `module` or `tool`: those between its own ports and its children. */
  innerEvents?: EventSource[];
  children: BlockSource[];
  /** Tags of blocks that must complete for a user before this one opens. */
  dependencies: string[];
  onErrorAction?: string;
  stopPropagation?: boolean;
  [option: string]: unknown;
}

/** A link as written in a policy. */
export interface EventSource {
  source: string;
  target: string;
  output: string;
  input: string;
  actor: '' | 'owner' | 'issuer' | null;
  disabled: boolean;
}
