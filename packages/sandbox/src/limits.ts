/** Limits on everything that the sandbox keeps. */
import { optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';

export interface SandboxLimits {
  readonly accounts: number;
  /** Tasks that can be asked for; the oldest is forgotten. */
  readonly tasks: number;
  /** Bytes of the results of all tasks, as JSON; the oldest are forgotten. */
  readonly taskBytes: number;
  /** Trials with virtual users; the one that was begun first is forgotten. */
  readonly trials: number;
  /** Virtual users of one trial. */
  readonly virtualUsers: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  accounts: 1_000,
  tasks: 1_000,
  taskBytes: 32 * 1024 * 1024,
  trials: 1_000,
  virtualUsers: 100,
};

const atLeastOne = optionTypes.wholeNumber(1);

export const limitShape: OptionShape<SandboxLimits> = {
  accounts: atLeastOne,
  tasks: atLeastOne,
  taskBytes: atLeastOne,
  trials: atLeastOne,
  virtualUsers: atLeastOne,
};
