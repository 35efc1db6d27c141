/** Event names that the engine itself gives a meaning (reference, section "Events"). Tags of buttons and conditions are outputs, too. */

/** Runs a block. Along this output a run continues with the next block. */
export const RUN = 'RunEvent';
/** What a block shows has changed. Reaches the container around the block by itself. */
export const REFRESH = 'RefreshEvent';
/** A block has finished with its user. Reaches a step around the block by itself. */
export const RELEASE = 'ReleaseEvent';
/** Sent to paging addons when a filter of their grid has changed for the user. */
export const FILTER_CHANGED = 'FilterChangedEvent';
/** Emitted by the engine when a block fails and its policy has a link for that; carries what the block was given. */
export const ERROR = 'ErrorEvent';
/** Sent to a block at the times of its timetable. */
export const TICK = 'TickEvent';
/** Sent to every block that declares it when somebody was taken out of a group; its data is `{group, did}`. */
export const MEMBER_REMOVED = 'MemberRemovedEvent';

/** Inputs that every block has. */
export const standardInputs = [RUN, REFRESH] as const;
export type StandardInput = (typeof standardInputs)[number];

/** Outputs that every block has: the engine makes links of them. */
export const standardOutputs = [RUN, REFRESH, RELEASE] as const;
export type StandardOutput = (typeof standardOutputs)[number];

/** Sources of links on any block: its standard outputs, and what the engine emits when it fails. */
export const commonOutputs: ReadonlySet<string> = new Set([...standardOutputs, ERROR]);

/** What some block of the reference takes; all that is known of a block whose type this engine does not know. */
export const knownInputs: ReadonlySet<string> = new Set([
  ...standardInputs,
  'TimerEvent',
  'StartTimerEvent',
  'StopTimerEvent',
  RELEASE,
  'PopEvent',
  'RestoreEvent',
  'AdditionalMintEvent',
  'RetryMintEvent',
  'ModuleEvent',
  'ToolEvent',
]);
