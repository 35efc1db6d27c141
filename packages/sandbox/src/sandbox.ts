/** The sandbox: a layer in front of the interface. For development and tests only. */
import type { Accounts } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import type { AttachedLayer, InterfaceLayer, LayerHost } from '@blockwork/http';
import { AccountBook } from './accounts/account-book.js';
import { AttachedSandbox } from './attached-sandbox.js';
import { resolveSandboxOptions, type SandboxOptions } from './options.js';

export interface Sandbox extends InterfaceLayer {
  /**
   * The ledger accounts that profiles name, for the option `accounts` of the engine; of all others, those that the engine works out itself.
   */
  readonly accounts: Accounts;
}

/**
 * What stands around policies in Guardian: accounts, sessions, tasks, virtual users of dry runs. Not for production: anybody who reaches it may
 * register as anything. Throws `OPTION_INVALID`.
 *
 * @example
 * const sandbox = createSandbox({ secret });
 * const engine = createEngine({ accounts: sandbox.accounts });
 * const server = createPolicyServer(engine, { auth: { secret }, sandbox });
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const resolved = resolveSandboxOptions(options);
  const { clock, ids, limits } = resolved;
  const accounts = new AccountBook({ clock, ids, limit: limits.accounts }, resolved.accounts);
  let isAttached = false;
  return {
    accounts,
    attach: (host: LayerHost): AttachedLayer => {
      if (isAttached) throw invalidOption('sandbox', 'it belongs to another server already; create one for each');
      isAttached = true;
      return new AttachedSandbox(host, resolved, accounts);
    },
  };
}
