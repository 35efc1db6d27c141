/** Events: they say what moved, never the data. Subscribers read again what they may see. */
import type { JournalCause, JournalEntry } from '../records/index.js';

/** The first event of every subscription. */
export interface OpenEvent {
  readonly type: 'open';
  /** Where the subscription begins, for `after`. */
  readonly id: string;
  /** The policies that it is about. */
  readonly policyIds: readonly string[];
}

interface PolicyMoved {
  /** Where the subscription is after this event, for `after`. */
  readonly id: string;
  readonly policyId: string;
  /** Of the policy, after the unit of work. */
  readonly revision: number;
  /** When the unit of work began, as ISO 8601. */
  readonly at: string;
}

/** A unit of work was committed. */
export interface UnitEvent extends PolicyMoved {
  readonly type: 'unit';
  readonly cause: JournalCause['type'];
  /** Of the blocks to read again: those that the unit touched, and those that show documents if `documents` is true. Only blocks whose permissions admit the subscriber. */
  readonly tags: readonly string[];
  /** Whether documents were added, changed or removed. */
  readonly documents: boolean;
}

/** The status of the policy may have changed: read the policy again. */
export interface StatusEvent extends PolicyMoved {
  readonly type: 'status';
  /** `dry-run`, `draft`, `publish` or `discontinue`. */
  readonly action: string;
}

/** Units were left out, since they are no longer in the journal or too many: read everything of the policy again. */
export interface GapEvent {
  readonly type: 'gap';
  readonly id: string;
  readonly policyId: string;
}

export type PolicyEvent = OpenEvent | UnitEvent | StatusEvent | GapEvent;

/** An event for somebody who passes it on, with the trace context of what caused it. */
export interface CausedEvent {
  readonly event: Exclude<PolicyEvent, OpenEvent>;
  readonly traceparent: string | undefined;
}

export interface EventsQuery {
  /** One policy, or several; every policy when absent. */
  readonly policyId?: string | readonly string[];
  /** The `id` of the last event that was received. When absent, the subscription begins now. */
  readonly after?: string;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** What a unit of work moved, before it is known who asks. */
export interface Movement {
  /** The id of the journal entry. */
  readonly id: string;
  readonly at: string;
  readonly cause: JournalCause;
  /** Of all blocks that the unit touched. */
  readonly tags: ReadonlySet<string>;
  readonly documents: boolean;
  /** W3C trace context of what caused the unit. */
  readonly traceparent: string | undefined;
}

export function movementOf({ id, at, cause, events, documents, traceparent }: JournalEntry): Movement {
  const tags = new Set(events.flatMap(({ source, target }) => [source, target]));
  if ('tag' in cause) {
    tags.add(cause.tag);
    // Data from outside may be for several blocks.
    if (cause.type === 'external') for (const tag of cause.tag.split(',')) tags.add(tag);
  }
  const { added, changed, removed } = documents;
  return { id, at, cause, tags, documents: added.length + changed.length + removed.length > 0, traceparent };
}
