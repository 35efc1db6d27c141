/** Event names with a meaning to the engine (reference, section "Events"). Tags of buttons and conditions are outputs too. */

/** As an input, runs a block. As an output, continues with the next block. */
export const RUN = 'RunEvent';
/** The block's data has changed. Reaches the enclosing container without a written link. */
export const REFRESH = 'RefreshEvent';
/** The block has finished for its user. Reaches an enclosing step block without a written link. */
export const RELEASE = 'ReleaseEvent';
/** Sent to paging addons when the user changes a filter of their grid. */
export const FILTER_CHANGED = 'FilterChangedEvent';
/**
 * Sent to a grid by an addon that acts on a row. Data: `{addon, data}`; the grid emits the data at the output with the
 * addon's tag.
 */
export const ROW_ACTION = 'RowActionEvent';
/** Emitted by the engine if a block fails and the policy has a link for it. Carries the block's input. */
export const ERROR = 'ErrorEvent';
/** Sent to a block when its schedule is due. */
export const TICK = 'TickEvent';
/** Sent to blocks that declare it when a member is removed from a group. Data: `{group, did}`. */
export const MEMBER_REMOVED = 'MemberRemovedEvent';

/** Inputs that every block has. */
export const standardInputs = [RUN, REFRESH] as const;
export type StandardInput = (typeof standardInputs)[number];

/** Outputs that every block has. The engine creates implicit links from them. */
export const standardOutputs = [RUN, REFRESH, RELEASE] as const;
export type StandardOutput = (typeof standardOutputs)[number];

/** Outputs that links may start from on any block. */
export const commonOutputs: ReadonlySet<string> = new Set([...standardOutputs, ERROR]);

/** Inputs of the reference's blocks, accepted for blocks of unknown type. */
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
