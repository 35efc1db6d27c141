/** Options of the sandbox. */
import { randomIds, systemClock, systemTimers } from '@blockwork/core';
import type { Clock, Ids, Timers } from '@blockwork/core';
import { checkOptions, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { accountRoles } from './accounts/account.js';
import type { GivenAccount } from './accounts/account-book.js';
import { defaultSandboxLimits, limitShape, type SandboxLimits } from './limits.js';

export interface SandboxOptions {
  /** The secret that the server verifies tokens with (`auth.secret`): at least 32 bytes. */
  readonly secret: KeyObject | Uint8Array;
  /** `iss` of its tokens; needed where the server checks it. */
  readonly issuer?: string;
  /** `aud` of its tokens; needed where the server checks it. */
  readonly audience?: string;
  /** Preconfigured accounts, with different names. One replaces a registered account of its name. */
  readonly accounts?: readonly GivenAccount[];
  /** Folder in which accounts and virtual users are kept for the next start; by default they end with the process. */
  readonly folder?: string;
  /** Policy files by the id of the message that announces them, for imports by message; none by default. */
  readonly messages?: ReadonlyMap<string, Uint8Array>;
  /** Lifetime of an access token in seconds; default one day, since two of the clients never renew theirs. */
  readonly accessLifetime?: number;
  /**
   * Whether reads of closed, unknown or empty blocks return 200 without a body, as clients of Guardian 2.23 expect.
   * Default `true`. Sending data to such a block is always refused.
   */
  readonly emptyForClosedBlocks?: boolean;
  /**
   * Whether the server may listen on addresses other than loopback, and be used under other names and from pages of other
   * hosts; default `false`. Anyone there can act as any user.
   */
  readonly allowAnyHost?: boolean;
  readonly limits?: Partial<SandboxLimits>;
  /** The system's by default. */
  readonly clock?: Clock;
  /** The system's by default. */
  readonly timers?: Timers;
  /** Random UUIDs by default. */
  readonly ids?: Ids;
}

export type ResolvedSandboxOptions = Required<Omit<SandboxOptions, 'issuer' | 'audience' | 'folder' | 'limits'>> & {
  readonly folder: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly limits: SandboxLimits;
};

const shape: OptionShape<SandboxOptions> = {
  secret: z.custom(
    (value) =>
      value instanceof KeyObject
        ? value.type === 'secret' && (value.symmetricKeySize ?? 0) >= 32
        : value instanceof Uint8Array && value.length >= 32,
    'must be the secret of the server, a KeyObject or bytes, of at least 32 bytes',
  ),
  issuer: optionTypes.text,
  audience: optionTypes.text,
  accounts: z
    .array(
      z.strictObject({
        username: z.string().min(1).max(200),
        password: z.string().min(1).max(1024),
        role: z.enum(accountRoles),
        did: z.string().min(1).max(500).optional(),
        parent: z.string().optional(),
        hederaAccountId: z.string().optional(),
      }),
    )
    .refine(
      (accounts) => new Set(accounts.map(({ username }) => username)).size === accounts.length,
      'must have different names',
    ),
  folder: optionTypes.text,
  messages: z.custom((value) => value instanceof Map, 'must be a Map from message ids to policy files'),
  accessLifetime: optionTypes.wholeNumber(1),
  emptyForClosedBlocks: optionTypes.flag,
  allowAnyHost: optionTypes.flag,
  limits: optionTypes.object,
  clock: optionTypes.clock,
  timers: optionTypes.timers,
  ids: optionTypes.ids,
};

/** Throws `OPTION_INVALID`. */
export function resolveSandboxOptions(options: SandboxOptions): ResolvedSandboxOptions {
  checkOptions(options, shape, 'sandbox.');
  checkOptions(options.limits ?? {}, limitShape, 'sandbox.limits.');
  return {
    secret: options.secret,
    issuer: options.issuer,
    audience: options.audience,
    accounts: options.accounts ?? [],
    folder: options.folder,
    messages: options.messages ?? new Map(),
    accessLifetime: options.accessLifetime ?? 86_400,
    emptyForClosedBlocks: options.emptyForClosedBlocks ?? true,
    allowAnyHost: options.allowAnyHost ?? false,
    limits: { ...defaultSandboxLimits, ...options.limits },
    clock: options.clock ?? systemClock,
    timers: options.timers ?? systemTimers,
    ids: options.ids ?? randomIds,
  };
}
