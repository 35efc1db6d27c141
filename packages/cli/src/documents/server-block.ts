/** The block of a policy on a server that a command is about. */
import { createClient, type Client } from '@blockwork/client';
import { textOption, type CommandInput } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import type { Io } from '../line/io.js';

export interface ServerBlock {
  readonly client: Client;
  readonly tag: string;
  /** As the routes take it. */
  readonly address: { readonly policyId: string; readonly uuid: string };
}

export async function serverBlock(input: CommandInput, io: Io): Promise<ServerBlock> {
  const [url = ''] = input.args;
  const token = textOption(input, 'token') ?? io.env['BLOCKWORK_TOKEN'];
  if (token === undefined) {
    const message = 'The server requires a token: use --token or set BLOCKWORK_TOKEN. See "blockwork token".';
    throw new CommandError(exitCodes.usage, message, 'TOKEN_MISSING');
  }
  const [policyId, tag] = [textOption(input, 'policy') ?? '', textOption(input, 'block') ?? ''];
  const client = createClient({ url: url.replace(/\/+$/, ''), token });
  const { data } = await client.routes.getBlockId({ policyId, tag });
  return { client, tag, address: { policyId, uuid: data.id } };
}
