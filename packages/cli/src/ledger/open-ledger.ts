/** Opens the ledger according to the settings. Its package is loaded only here, when needed. */
import { readFile } from 'node:fs/promises';
import type { EngineOptions, Ledger, Logger, PolicyStore } from '@blockwork/core';
import { startupError } from '../serve/startup-error.js';
import type { LedgerSettings } from './ledger-settings.js';

export interface OpenedLedger {
  /** For the engine, which closes the ledger. Policies, and tools that policies name by message, are read where there is a gateway. */
  readonly options: Pick<EngineOptions, 'didMethod' | 'publications' | 'toolSource' | 'witnessMinutes'> & {
    readonly ledger: Ledger;
  };
  /** For the operator. */
  readonly line: string;
}

/** Resolves even if nothing answers. Rejects with `CommandError` for a key that cannot be used, and does not quote it. */
export async function openLedger(settings: LedgerSettings, store: PolicyStore, logger: Logger): Promise<OpenedLedger> {
  const {
    network,
    operator,
    mirror,
    nodes,
    accounts,
    tokens,
    parentTopic,
    initializationTopic,
    didTopic,
    ipfs,
    gateway,
    dailyBudget,
    balanceFloor,
    witnessMinutes,
  } = settings;
  const { ed25519Signer, gatewayFiles, hederaDids, kuboFiles, openHederaLedger, openPublications } =
    await import('@blockwork/ledger-hedera');
  const text = await keyText(settings.key);
  const signer = (() => {
    try {
      return ed25519Signer(text);
    } catch (error) {
      const { key } = settings;
      const from = 'text' in key ? 'BLOCKWORK_HEDERA_KEY' : `BLOCKWORK_HEDERA_KEY_FILE (${key.file})`;
      throw startupError(
        `${from}: ${error instanceof Error ? error.message : 'The key of the operator is not usable.'}`,
      );
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
    ...(initializationTopic !== undefined && { initializationTopic }),
    ...(dailyBudget !== undefined && { dailyBudget }),
    ...(balanceFloor !== undefined && { balanceFloor }),
    ...(ipfs !== undefined && { files: kuboFiles({ url: ipfs }) }),
  });
  const atMirror = mirror === undefined ? {} : { mirror };
  const published =
    gateway === undefined
      ? undefined
      : openPublications({ network, ...atMirror, files: gatewayFiles({ url: gateway }) });
  return {
    options: {
      ledger,
      ...(witnessMinutes !== undefined && { witnessMinutes }),
      ...(didTopic !== undefined && { didMethod: hederaDids({ network, topic: didTopic }) }),
      ...(published !== undefined && { toolSource: published, publications: published }),
    },
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
