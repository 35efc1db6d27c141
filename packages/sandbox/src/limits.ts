/** Limits on everything that the sandbox keeps. */
import { optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';

export interface SandboxLimits {
  readonly accounts: number;
  /** Tasks kept; the oldest is evicted. */
  readonly tasks: number;
  /** Total size of task results, as bytes of JSON; the oldest are evicted. */
  readonly taskBytes: number;
  /** Trials with virtual users; the oldest is evicted. */
  readonly trials: number;
  /** Virtual users of one trial. */
  readonly virtualUsers: number;
  readonly tags: number;
  /** Bytes of all tags, as JSON. */
  readonly tagBytes: number;
  /** Schemas created by clients; those of policies do not count. */
  readonly schemas: number;
  /** Bytes of those, as JSON. */
  readonly schemaBytes: number;
  readonly sockets: number;
  /** Websockets of one account; the one opened first ends. */
  readonly socketsPerAccount: number;
  /** Policies that one socket follows; the one opened first is dropped. */
  readonly socketPolicies: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  accounts: 1_000,
  tasks: 1_000,
  taskBytes: 32 * 1024 * 1024,
  trials: 1_000,
  tags: 10_000,
  tagBytes: 16 * 1024 * 1024,
  schemas: 1_000,
  schemaBytes: 32 * 1024 * 1024,
  sockets: 100,
  socketsPerAccount: 20,
  socketPolicies: 20,
  virtualUsers: 100,
};

const atLeastOne = optionTypes.wholeNumber(1);

export const limitShape: OptionShape<SandboxLimits> = {
  accounts: atLeastOne,
  tasks: atLeastOne,
  taskBytes: atLeastOne,
  trials: atLeastOne,
  tags: atLeastOne,
  tagBytes: atLeastOne,
  schemas: atLeastOne,
  schemaBytes: atLeastOne,
  sockets: atLeastOne,
  socketsPerAccount: atLeastOne,
  socketPolicies: atLeastOne,
  virtualUsers: atLeastOne,
};
