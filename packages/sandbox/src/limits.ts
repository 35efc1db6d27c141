/** Limits on everything that the sandbox keeps. */
import { optionTypes, parseOptions, type ResolvedOptions } from '@blockwork/core/adapter';

const MIB = 1024 * 1024;

const amount = (byDefault: number) => optionTypes.wholeNumber(1).default(byDefault);

const limits = {
  accounts: amount(1_000),
  /** Tasks kept; the oldest is evicted. */
  tasks: amount(1_000),
  /** Total size of task results, as bytes of JSON; the oldest are evicted. */
  taskBytes: amount(32 * MIB),
  /** Trials with virtual users; the oldest is evicted. */
  trials: amount(1_000),
  /** Virtual users of one trial. */
  virtualUsers: amount(100),
  tags: amount(10_000),
  /** Bytes of all tags, as JSON. */
  tagBytes: amount(16 * MIB),
  /** Schemas created by clients; those of policies do not count. */
  schemas: amount(1_000),
  /** Bytes of those, as JSON. */
  schemaBytes: amount(32 * MIB),
  /** Modules, tools, themes, tokens, relations of accounts, schemas of tags and of profiles, and settings: of each kind. */
  things: amount(1_000),
  /** Bytes of all of one of those kinds, as JSON. */
  thingBytes: amount(16 * MIB),
  /** Files by content identifier. */
  files: amount(1_000),
  /** Bytes of those in base64. */
  fileBytes: amount(64 * MIB),
  sockets: amount(100),
  /** Websockets of one account; the one opened first ends. */
  socketsPerAccount: amount(20),
  /** Policies that one socket follows; the one opened first is dropped. */
  socketPolicies: amount(20),
};

export type SandboxLimits = ResolvedOptions<typeof limits>;

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export const sandboxLimits = (options: Partial<SandboxLimits> = {}): SandboxLimits =>
  parseOptions(options, limits, 'sandbox.limits.');

export const defaultSandboxLimits: SandboxLimits = sandboxLimits();
