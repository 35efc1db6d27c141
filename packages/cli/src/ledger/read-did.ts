/** `blockwork ledger did`: the key of a `did:hedera`, as it was published on the ledger. */
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { gatewayOf, refusedByName } from './fetch-publication.js';

export const run: CommandRun = async (input, io) => {
  const [did = ''] = input.args;
  const mirror = textOption(input, 'mirror');
  // Loaded only here, as for `ledger fetch`.
  const { gatewayFiles, openDids } = await import('@blockwork/ledger-hedera');
  const published = await refusedByName(async () =>
    openDids({
      files: gatewayFiles({ url: gatewayOf(input, io) }),
      ...(mirror !== undefined && { mirror }),
    }).resolve(did),
  );
  if (published === undefined)
    throw new CommandError(
      exitCodes.refused,
      `No document with the key of ${did} is published in its topic.`,
      'DID_UNKNOWN',
    );
  const { key, messageId, payer } = published;
  await printResult(input, io, {
    value: published,
    text: () =>
      `${key} is the key of ${did}: its hash is in the DID.\n  published by the message ${messageId}, paid by ${payer}\n`,
  });
  return exitCodes.ok;
};
