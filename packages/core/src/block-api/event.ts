/** Events: how one block makes another run, within one unit of work. */
import type { PolicyUser } from '../access/index.js';
import type { Json } from '../records/index.js';

/** An event as its receiver sees it. `data` is the receiver's own copy. */
export interface BlockEvent {
  readonly input: string;
  readonly output: string;
  /** Tag of the block that emitted it. */
  readonly source: string;
  /** In whose name the receiver runs. */
  readonly user: PolicyUser;
  readonly data: Json;
  /** What the emitter made of the data, beside it: the presentation of a mint. `null` where it made nothing. */
  readonly result: Json;
}

/** Names that the engine itself gives a meaning. */
export const RUN = 'RunEvent';
export const REFRESH = 'RefreshEvent';
export const RELEASE = 'ReleaseEvent';
/** Comes to paging addons when a filter of their grid has changed for the user. */
export const FILTER_CHANGED = 'FilterChangedEvent';
/** The engine saw a block fail that its policy provides for; carries what the block was given. */
export const ERROR = 'ErrorEvent';
/** Comes to a block whose timetable says that it is time. */
export const TICK = 'TickEvent';
/** Comes to every block when somebody was taken out of a group; its data is `{group, did}`. */
export const MEMBER_REMOVED = 'MemberRemovedEvent';
