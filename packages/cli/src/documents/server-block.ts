/** The block of a policy on a server that a command is about. */
import type { Client } from '@blockwork/client';
import { textOption, type CommandInput } from '../line/command.js';
import type { Io } from '../line/io.js';
import { serverClient } from '../line/server-client.js';

export interface ServerBlock {
  readonly client: Client;
  readonly tag: string;
  /** As the routes take it. */
  readonly address: { readonly policyId: string; readonly uuid: string };
}

export async function serverBlock(input: CommandInput, io: Io): Promise<ServerBlock> {
  const [url = ''] = input.args;
  const [policyId, tag] = [textOption(input, 'policy') ?? '', textOption(input, 'block') ?? ''];
  const client = serverClient(url, input, io);
  const { data } = await client.routes.getBlockId({ policyId, tag });
  return { client, tag, address: { policyId, uuid: data.id } };
}
