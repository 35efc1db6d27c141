/** What a tab of a policy is: its name, who sees it, and its page. */
import type { ComponentType } from 'react';

/** What the page of a tab is given; it takes of it what it needs. */
export interface TabProps {
  /** Of the policy. */
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  readonly isOwner: boolean;
  /** The name of the tab in the address: its own, or one of those that it answers to as well. */
  readonly tab: string;
  /** UUID of the selected block, or id of the selected document. */
  readonly selected: string | null;
  /** Whether the block tree is shown beside the page. */
  readonly isBeside: boolean;
}

/** A person and a policy, as far as it matters for who sees a tab. */
export type TabViewer = Pick<TabProps, 'isOwner' | 'status'>;

export interface PolicyTab {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** Other names in the address, for other views of the same. */
  readonly also?: readonly string[];
  /** Whether this person could ever use it; others do not see it. */
  readonly isFor: (viewer: TabViewer) => boolean;
  readonly page: ComponentType<TabProps>;
}
