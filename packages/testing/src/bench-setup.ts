/** The set-up of a block bench: the block's options and the policy around it. */
import type { Secrets } from '@blockwork/core';
import { optionTypes, type OptionShape } from '@blockwork/core/adapter';
import type { BlockType, DocumentInput, PolicyGroup } from '@blockwork/core/block';

/** A block as written in a policy. Defaults: a `tag`, `permissions: ['ANY_ROLE']` and `defaultActive: true`. */
export interface BlockFragment {
  readonly blockType: string;
  readonly tag?: string;
  readonly permissions?: readonly string[];
  readonly defaultActive?: boolean;
  readonly children?: readonly BlockFragment[];
  /** Stored in the policy before the test. */
  readonly documents?: readonly DocumentInput[];
  readonly [option: string]: unknown;
}

export interface BenchSetup {
  /** Members of the block itself: its options, and `tag`, `permissions`, `uiMetaData` and the like. Its `events` are added to the bench's. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The parent block. Default: the root container. */
  readonly parent?: BlockFragment;
  readonly children?: readonly BlockFragment[];
  readonly documents?: readonly DocumentInput[];
  /** Further block types used in fragments, in addition to the interface blocks. */
  readonly blocks?: readonly BlockType[];
  /** Roles that the policy declares. `as` gives a user any role, declared or not. */
  readonly roles?: readonly string[];
  readonly groups?: readonly PolicyGroup[];
  /** Further members of the policy: `schemas`, `tokens`, `policyTopics`, `policyTokens`, `policyTag`. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** What `{{secret:NAME}}` stands for. Default: the environment. */
  readonly secrets?: Secrets;
}

export const benchSetupShape: OptionShape<BenchSetup> = {
  options: optionTypes.object,
  parent: optionTypes.object,
  children: optionTypes.list(optionTypes.object),
  documents: optionTypes.list(optionTypes.object),
  blocks: optionTypes.list(),
  roles: optionTypes.list(optionTypes.text),
  groups: optionTypes.list(optionTypes.object),
  policy: optionTypes.object,
  secrets: optionTypes.secrets,
};

/** A user of the bench. `as('Installer')` is short for `as({ role: 'Installer' })`. */
export interface BenchUser {
  /** A role of the policy, `OWNER` for its owner, or `NO_ROLE`. Default: `NO_ROLE`. */
  readonly role?: string;
  /** The user's identity. Default: one per role. */
  readonly did?: string;
  /** The user's active group. Default: a separate group per user and role. */
  readonly group?: string;
}
