/** Options of the sandbox. */
import { randomIds, systemClock, systemTimers } from '@blockwork/core';
import { optionTypes, parseOptions } from '@blockwork/core/adapter';
import type { OptionsOf, ResolvedOptions } from '@blockwork/core/adapter';
import { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { accountRoles } from './accounts/account.js';
import type { GivenAccount } from './accounts/account-book.js';
import type { StatePlace } from './memory/state-places.js';
import { sandboxLimits, type SandboxLimits } from './limits.js';

const shape = {
  /** The secret that the server verifies tokens with (`auth.secret`): at least 32 bytes. */
  secret: z.custom<KeyObject | Uint8Array>(
    (value) =>
      value instanceof KeyObject
        ? value.type === 'secret' && (value.symmetricKeySize ?? 0) >= 32
        : value instanceof Uint8Array && value.length >= 32,
    'must be the secret of the server, a KeyObject or bytes, of at least 32 bytes',
  ),
  /** `iss` of its tokens; needed where the server checks it. */
  issuer: optionTypes.text,
  /** `aud` of its tokens; needed where the server checks it. */
  audience: optionTypes.text,
  /** Preconfigured accounts, with different names. One replaces a registered account of its name. */
  accounts: optionTypes
    .as<readonly GivenAccount[]>(
      z
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
    )
    .default([]),
  /** Folder in which accounts and virtual users are kept for the next start; by default they end with the process. */
  folder: optionTypes.text,
  /** Instead of a folder, the store of the engine: `await sandboxStateIn(store)`. */
  state: z.custom<StatePlace>((value) => typeof value === 'object', 'must come from sandboxStateIn').optional(),
  /** Policy files by the id of the message that announces them, for imports by message; none by default. */
  messages: z
    .custom<ReadonlyMap<string, Uint8Array>>(
      (value) => value instanceof Map,
      'must be a Map from message ids to policy files',
    )
    .default(() => new Map()),
  /** Lifetime of an access token in seconds; default one day, since two of the clients never renew theirs. */
  accessLifetime: optionTypes.wholeNumber(1).default(86_400),
  /**
   * Whether reads of closed, unknown or empty blocks return 200 without a body, as clients of Guardian 2.23 expect.
   * Default `true`. Sending data to such a block is always refused.
   */
  emptyForClosedBlocks: optionTypes.flag.default(true),
  /**
   * Whether the server may listen on addresses other than loopback, and be used under other names and from pages of other
   * hosts; default `false`. Anyone there can act as any user.
   */
  allowAnyHost: optionTypes.flag.default(false),
  limits: optionTypes.as<Partial<SandboxLimits>>(optionTypes.object),
  /** The system's by default. */
  clock: optionTypes.clock.default(() => systemClock),
  /** The system's by default. */
  timers: optionTypes.timers.default(() => systemTimers),
  /** Random UUIDs by default. */
  ids: optionTypes.ids.default(() => randomIds),
};

export type SandboxOptions = OptionsOf<typeof shape, 'secret'>;

export type ResolvedSandboxOptions = Omit<ResolvedOptions<typeof shape, 'secret'>, 'limits'> & {
  readonly limits: SandboxLimits;
};

/** Throws `OPTION_INVALID`. */
export function resolveSandboxOptions(options: SandboxOptions): ResolvedSandboxOptions {
  const resolved = parseOptions<typeof shape, 'secret'>(options, shape, 'sandbox.');
  return { ...resolved, limits: sandboxLimits(resolved.limits) };
}
