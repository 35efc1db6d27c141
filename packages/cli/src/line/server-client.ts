/** A client of the server that a command names. */
import { createClient, type Client } from '@blockwork/client';
import { textOption, type CommandInput } from './command.js';
import { exitCodes } from './exit-codes.js';
import { CommandError } from './failure.js';
import type { Io } from './io.js';

/** With the token of `--token`, or else of the environment. Throws `CommandError` without one. */
export function serverClient(url: string, input: CommandInput, io: Io): Client {
  const token = textOption(input, 'token') ?? io.env['BLOCKWORK_TOKEN'];
  if (token === undefined) {
    const message = 'The server requires a token: use --token or set BLOCKWORK_TOKEN. See "blockwork token".';
    throw new CommandError(exitCodes.usage, message, 'TOKEN_MISSING');
  }
  return createClient({ url: url.replace(/\/+$/, ''), token });
}
