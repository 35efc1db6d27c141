/** `blockwork ledger fetch`: what was published under a message, as the file that other commands take. */
import { writeFile } from 'node:fs/promises';
import { isBlockworkError, shownAddress } from '@blockwork/core/block';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export const run: CommandRun = async (input, io) => {
  const [messageId = '', target] = input.args;
  const mirror = textOption(input, 'mirror');
  const gateway = gatewayOf(input, io);
  const network = textOption(input, 'network') ?? 'mainnet';
  // Loaded only here: no other command needs the package.
  const { gatewayFiles, openPublications } = await import('@blockwork/ledger-hedera');
  const publication = await refusedByName(async () =>
    openPublications({
      network,
      files: gatewayFiles({ url: gateway }),
      ...(mirror !== undefined && { mirror }),
    }).read(messageId),
  );
  if (publication === undefined)
    throw new CommandError(exitCodes.refused, `${network} has no message ${messageId}.`, 'MESSAGE_UNKNOWN');
  const { file: content, ...facts } = publication;
  const file = target ?? `${nameOf(facts.name, messageId)}.${extensions[facts.kind]}`;
  // Never over something else: the name is the publisher's.
  await writeFile(file, content, { flag: target === undefined ? 'wx' : 'w' });
  await printResult(input, io, {
    value: { file, bytes: content.length, ...facts },
    text: () =>
      [
        `Wrote ${String(content.length)} bytes to ${file}: the ${facts.kind} "${facts.name}" ${facts.version}`.trimEnd(),
        `  owner ${facts.owner}, paid by ${facts.payer} in topic ${facts.topicId}`,
        `  ${[facts.cid, facts.contextCid ?? []].flat().join(' and ')} read from ${shownAddress(gateway)}, each block compared with its hash`,
        '',
      ].join('\n'),
  });
  return exitCodes.ok;
};

const extensions = { policy: 'policy', tool: 'tool', module: 'module', schema: 'schema.json' } as const;

/** Letters, digits, hyphens and underscores of the publisher's name: it is not trusted. */
const nameOf = (name: string, messageId: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || messageId;

export const gatewayOf = (...[input, io]: Parameters<CommandRun>): string =>
  textOption(input, 'gateway') ?? io.env['BLOCKWORK_IPFS_GATEWAY'] ?? 'https://ipfs.io';

export async function refusedByName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isBlockworkError(error, 'OPTION_INVALID'))
      throw new CommandError(exitCodes.usage, error.message, 'OPTION_INVALID');
    const reason = error instanceof Error ? `${error.message}${causeOf(error)}` : String(error);
    throw new CommandError(exitCodes.refused, reason, 'PUBLICATION_UNREADABLE');
  }
}

/** `fetch` tells only there why it failed. */
const causeOf = ({ cause }: Error): string => (cause instanceof Error ? ` (${cause.message})` : '');
