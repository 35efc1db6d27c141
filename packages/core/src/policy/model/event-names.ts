/** The events that blocks take and give (reference, section "Events"). Tags of buttons and conditions are outputs as well. */

/** Taken by every block. */
export const commonInputs: ReadonlySet<string> = new Set(['RunEvent', 'RefreshEvent']);

/** Given by any block: the engine itself makes links of them, or gives them when a run fails. */
export const commonOutputs: ReadonlySet<string> = new Set(['RunEvent', 'RefreshEvent', 'ReleaseEvent', 'ErrorEvent']);

/** What some block of the reference takes; all that can be said of a block whose type is not known here. */
export const knownInputs: ReadonlySet<string> = new Set([
  ...commonInputs,
  'TimerEvent',
  'StartTimerEvent',
  'StopTimerEvent',
  'ReleaseEvent',
  'PopEvent',
  'RestoreEvent',
  'AdditionalMintEvent',
  'RetryMintEvent',
  'ModuleEvent',
  'ToolEvent',
]);
