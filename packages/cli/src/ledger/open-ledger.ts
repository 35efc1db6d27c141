/** Opens the ledger according to the settings. Its package is loaded only here, when needed. */
import { readFile } from 'node:fs/promises';
import type { Ledger, Logger, PolicyStore } from '@blockwork/core';
import { startupError } from '../serve/startup-error.js';
import type { LedgerSettings } from './ledger-settings.js';

export interface OpenedLedger {
  /** For the engine, which closes it. */
  readonly ledger: Ledger;
  /** For the operator. */
  readonly line: string;
}

/** Resolves even if nothing answers. Rejects with `CommandError` for a key that cannot be used, and does not quote it. */
export async function openLedger(settings: LedgerSettings, store: PolicyStore, logger: Logger): Promise<OpenedLedger> {
  const { network, operator, mirror, nodes, accounts, tokens, parentTopic, ipfs } = settings;
  const { ed25519Signer, kuboFiles, openHederaLedger } = await import('@blockwork/ledger-hedera');
  const text = await keyText(settings.key);
  const signer = (() => {
    try {
      return ed25519Signer(text);
    } catch (error) {
      throw startupError(error instanceof Error ? error.message : 'The key of the operator is not usable.');
    }
  })();
  const ledger = openHederaLedger({
    store,
    logger,
    network,
    operator,
    signer,
    accounts,
    tokens,
    ...(mirror !== undefined && { mirror }),
    ...(nodes !== undefined && { nodes }),
    ...(parentTopic !== undefined && { parentTopic }),
    ...(ipfs !== undefined && { files: kuboFiles({ url: ipfs }) }),
  });
  return {
    ledger,
    line: `What published policies book is carried out on Hedera ${network} by the account ${operator}`,
  };
}

async function keyText(key: LedgerSettings['key']): Promise<string> {
  if ('text' in key) return key.text;
  try {
    return await readFile(key.file, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw startupError(`BLOCKWORK_HEDERA_KEY_FILE names ${key.file}, which cannot be read (${code}).`);
  }
}
