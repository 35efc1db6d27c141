/** The sandbox: a layer in front of the interface. For development and tests only. */
import type { Accounts } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import type { AttachedLayer, InterfaceLayer, LayerHost } from '@blockwork/http';
import { AccountBook } from './accounts/account-book.js';
import { AttachedSandbox } from './attached-sandbox.js';
import { KeptState } from './memory/kept-state.js';
import { resolveSandboxOptions, type SandboxOptions } from './options.js';

export interface Sandbox extends InterfaceLayer {
  /**
   * For the engine option `accounts`: ledger accounts named by profiles, otherwise derived from the DID.
   */
  readonly accounts: Accounts;
}

/**
 * Guardian's services around policies: accounts, sessions, tasks, virtual users of dry runs. Not for production: anyone who
 * can reach it may register with any role. Throws `OPTION_INVALID`.
 *
 * @example
 * const sandbox = createSandbox({ secret });
 * const engine = createEngine({ accounts: sandbox.accounts });
 * const server = createPolicyServer(engine, { auth: { secret }, sandbox });
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const resolved = resolveSandboxOptions(options);
  const { clock, ids, limits } = resolved;
  const state = new KeptState(resolved.folder);
  const accounts = new AccountBook({ clock, ids, limit: limits.accounts, state }, resolved.accounts);
  let isAttached = false;
  return {
    accounts,
    attach: (host: LayerHost): AttachedLayer => {
      if (isAttached) throw invalidOption('sandbox', 'it belongs to another server already; create one for each');
      isAttached = true;
      return new AttachedSandbox(host, resolved, { accounts, state });
    },
  };
}
