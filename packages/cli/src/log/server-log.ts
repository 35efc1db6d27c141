/** The log of a policy on a server that a command is about. */
import type { Client } from '@blockwork/client';
import { textOption, type CommandInput } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import type { Io } from '../line/io.js';
import { serverClient } from '../line/server-client.js';

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

export interface ServerLog {
  readonly client: Client;
  readonly policyId: string;
}

export function serverLog(url: string, input: CommandInput, io: Io): ServerLog {
  const client = serverClient(url, input, io);
  const policyId = textOption(input, 'policy');
  if (policyId === undefined) {
    throw new CommandError(exitCodes.usage, 'Name the policy on the server: use --policy.', 'POLICY_MISSING');
  }
  return { client, policyId };
}
