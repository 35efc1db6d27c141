/** What a block is tested in: its options, and the small policy around it. */
import type { AnyBlockType, DocumentInput, PolicyGroup } from '@blockwork/core/block';

/** A block as a policy would write it. `tag`, `permissions` (`ANY_ROLE`) and `defaultActive` (true) are filled in. */
export interface BlockFragment {
  readonly blockType: string;
  readonly tag?: string;
  readonly permissions?: readonly string[];
  readonly defaultActive?: boolean;
  readonly children?: readonly BlockFragment[];
  /** Stored in the policy before the test begins. */
  readonly documents?: readonly DocumentInput[];
  readonly [option: string]: unknown;
}

export interface BenchSetup {
  /** What the policy writes on the block itself: its options, and `tag`, `permissions`, `uiMetaData` and the like. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The block that holds it; the root container when absent. */
  readonly parent?: BlockFragment;
  readonly children?: readonly BlockFragment[];
  readonly documents?: readonly DocumentInput[];
  /** Further block types that the fragments use, beside the interface blocks. */
  readonly blocks?: readonly AnyBlockType[];
  /** Roles that the policy declares. `as` gives a user any role, declared or not. */
  readonly roles?: readonly string[];
  readonly groups?: readonly PolicyGroup[];
  /** What else the policy's file says: `schemas`, `tokens`, `policyTopics`, `policyTokens`, `policyTag`. */
  readonly policy?: Readonly<Record<string, unknown>>;
}

/** Who works with the block. `as('Installer')` is short for `as({ role: 'Installer' })`. */
export interface BenchUser {
  /** A role of the policy; `OWNER` for its owner, `NO_ROLE` for somebody without one (the default). */
  readonly role?: string;
  /** Tells users of one role apart. */
  readonly did?: string;
  /** The group that the user acts in; a group of their own for each role when absent. */
  readonly group?: string;
}
