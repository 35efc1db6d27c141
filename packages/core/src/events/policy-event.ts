/** Events: they state what changed, never the data. Subscribers re-read what they may see. */
import type { JournalCause, JournalEntry } from '../records/index.js';

/** The first event of every subscription. */
export interface OpenEvent {
  readonly type: 'open';
  /** The subscription's starting position, for `after`. */
  readonly id: string;
  /** The policies subscribed to. */
  readonly policyIds: readonly string[];
}

interface PolicyMoved {
  /** The subscription's position after this event, for `after`. */
  readonly id: string;
  readonly policyId: string;
  /** The policy's revision after the unit of work. */
  readonly revision: number;
  /** When the unit of work began (ISO 8601). */
  readonly at: string;
}

/** A unit of work was committed. */
export interface UnitEvent extends PolicyMoved {
  readonly type: 'unit';
  readonly cause: JournalCause['type'];
  /**
   * Tags of the blocks to re-read: those the unit touched and, if `documents` is true, those that show documents. Only
   * blocks the subscriber has permission for.
   */
  readonly tags: readonly string[];
  /** Whether documents were added, changed or removed. */
  readonly documents: boolean;
}

/** The policy's status may have changed: re-read the policy. */
export interface StatusEvent extends PolicyMoved {
  readonly type: 'status';
  /** `dry-run`, `draft`, `publish`, `discontinue`, or `edit` if the definition of a draft was edited. */
  readonly action: string;
  /** After an edit: the revision of the definition, so that its author need not read it again. */
  readonly definition?: number;
}

/** Units were skipped because they are no longer in the journal or too numerous: re-read everything in the policy. */
export interface GapEvent {
  readonly type: 'gap';
  readonly id: string;
  readonly policyId: string;
}

export type PolicyEvent = OpenEvent | UnitEvent | StatusEvent | GapEvent;

/** An event with the trace context of its cause, for forwarding. */
export interface CausedEvent {
  readonly event: Exclude<PolicyEvent, OpenEvent>;
  readonly traceparent: string | undefined;
}

export interface EventsQuery {
  /** One policy or several. Default: all policies. */
  readonly policyId?: string | readonly string[];
  /** The `id` of the last event received. Default: start from now. */
  readonly after?: string;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** The changes of a unit of work, before filtering by subscriber. */
export interface Movement {
  /** The journal entry's id. */
  readonly id: string;
  readonly at: string;
  readonly cause: JournalCause;
  /** Tags of all blocks the unit touched. */
  readonly tags: ReadonlySet<string>;
  readonly documents: boolean;
  /** W3C trace context of the unit's cause. */
  readonly traceparent: string | undefined;
}

export function movementOf({ id, at, cause, events, documents, traceparent }: JournalEntry): Movement {
  const tags = new Set(events.flatMap(({ source, target }) => [source, target]));
  if ('tag' in cause) {
    tags.add(cause.tag);
    // External data may address several blocks.
    if (cause.type === 'external') for (const tag of cause.tag.split(',')) tags.add(tag);
  }
  const { added, changed, removed } = documents;
  return { id, at, cause, tags, documents: added.length + changed.length + removed.length > 0, traceparent };
}
