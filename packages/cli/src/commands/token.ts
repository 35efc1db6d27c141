/** `blockwork token`: signs a token for the server that uses the same data folder. */
import type { Caller } from '@blockwork/core';
import { isDid } from '@blockwork/http-koa';
import { ledgerVariables } from '../ledger/ledger-settings.js';
import { printResult, textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { needsNewSecret, tokenSigner } from '../serve/secret.js';
import { readSettings, type Settings } from '../serve/settings.js';
import { ensureDataFolder } from '../serve/data-folder.js';

export const run: CommandRun = async (input, io) => {
  const settings = readSettings({ ...io.env, ...withoutLedger, ...dataOf(input) });
  const lifetime = Math.round(hours(input) * 3600);
  if (settings.rules.keySet !== undefined) {
    const message = 'Tokens for this server are issued by its identity provider (BLOCKWORK_JWKS).';
    throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
  }
  const caller = callerOf(input, settings);
  const isNew = await needsNewSecret(settings);
  if (settings.database === undefined) await ensureDataFolder(settings.data);
  const token = (await tokenSigner(settings))(caller, lifetime);
  // The folder may be mistyped.
  if (isNew && !input.json)
    io.printError(
      `blockwork: ${settings.data} had no secret, so a new one was generated; only a server with this data folder accepts the token.\n`,
    );
  await printResult(input, io, { value: { token, ...caller, lifetime }, text: () => `${token}\n` });
  return exitCodes.ok;
};

/** Tokens do not depend on it, and `--ledger` of the server's command is not known here. */
const withoutLedger = Object.fromEntries(['BLOCKWORK_LEDGER', ...ledgerVariables].map((name) => [name, undefined]));

const dataOf = (input: CommandInput): Record<string, string> => {
  const data = textOption(input, 'data');
  return data === undefined ? {} : { BLOCKWORK_DATA: data };
};

function hours(input: CommandInput): number {
  const count = Number(textOption(input, 'hours'));
  if (count > 0 && count <= 24 * 366) return count;
  throw new CommandError(
    exitCodes.usage,
    '--hours must be greater than 0 and at most 8784 (a year).',
    'OPTION_INVALID',
  );
}

function callerOf(input: CommandInput, { owner }: Settings): Caller {
  const who = textOption(input, 'as') ?? '';
  const role = textOption(input, 'role');
  if (who === 'owner' || who === owner) return { did: owner, role: role ?? 'STANDARD_REGISTRY' };
  const did = who.startsWith('did:') ? who : `did:example:${who}`;
  if (!isDid(did)) {
    throw new CommandError(
      exitCodes.usage,
      `--as accepts a DID, or a name valid as the last part of one; ${did} is not a DID.`,
      'OPTION_INVALID',
    );
  }
  return { did, username: who.split(':').at(-1) ?? who, role: role ?? 'USER' };
}
