/** The set-up of a block bench: the block's options and the policy around it. */
import { optionTypes, type OptionsOf } from '@blockwork/core/adapter';
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

export const benchSetupShape = {
  /** Members of the block itself: its options, and `tag`, `permissions`, `uiMetaData` and the like. Its `events` are added to the bench's. */
  options: optionTypes.as<Readonly<Record<string, unknown>>>(optionTypes.object),
  /** The parent block. Default: the root container. */
  parent: optionTypes.as<BlockFragment>(optionTypes.object),
  children: optionTypes.as<readonly BlockFragment[]>(optionTypes.list(optionTypes.object)),
  documents: optionTypes.as<readonly DocumentInput[]>(optionTypes.list(optionTypes.object)),
  /** Further block types used in fragments, in addition to the interface blocks. */
  blocks: optionTypes.as<readonly BlockType[]>(optionTypes.list()),
  /** Roles that the policy declares. `as` gives a user any role, declared or not. */
  roles: optionTypes.list(optionTypes.text),
  groups: optionTypes.as<readonly PolicyGroup[]>(optionTypes.list(optionTypes.object)),
  /** Further members of the policy: `schemas`, `tokens`, `policyTopics`, `policyTokens`, `policyTag`. */
  policy: optionTypes.as<Readonly<Record<string, unknown>>>(optionTypes.object),
  /** What `{{secret:NAME}}` stands for. Default: the environment. */
  secrets: optionTypes.secrets,
};

export type BenchSetup = OptionsOf<typeof benchSetupShape>;

/** A user of the bench. `as('Installer')` is short for `as({ role: 'Installer' })`. */
export interface BenchUser {
  /** A role of the policy, `OWNER` for its owner, or `NO_ROLE`. Default: `NO_ROLE`. */
  readonly role?: string;
  /** The user's identity. Default: one per role. */
  readonly did?: string;
  /** The user's active group. Default: a separate group per user and role. */
  readonly group?: string;
}
