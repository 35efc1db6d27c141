/** `blockwork ledger check`: each difference between the books and the ledger, with what to do about it. */
import { BlockworkApiError, statusIs, type Client } from '@blockwork/client';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { serverClient } from '../line/server-client.js';

type Comparison = Awaited<ReturnType<Client['routes']['compareLedger']>>['data'];

/** Beyond this many characters, what book and ledger say is cut; `--json` has all. */
const SHOWN = 160;

export const run: CommandRun = async (input, io) => {
  const [url = ''] = input.args;
  const client = serverClient(url, input, io);
  const comparisons: Comparison[] = [];
  const named = textOption(input, 'policy');
  for (const policyId of named === undefined ? await settledPolicies(client) : [named])
    try {
      comparisons.push((await client.routes.compareLedger({ policyId })).data);
    } catch (error) {
      if (named !== undefined || !isForeign(error)) throw error;
    }
  if (comparisons.length === 0) throw new CommandError(exitCodes.refused, NOTHING, 'POLICY_UNKNOWN');
  await printResult(input, io, { value: comparisons, text: () => comparisons.map(describeComparison).join('') });
  return comparisons.every(({ differences }) => differences.length === 0) ? exitCodes.ok : exitCodes.found;
};

/** No other policy reaches the ledger. */
async function settledPolicies(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, status } of client.policies()) if (statusIs(status, 'published')) ids.push(id);
  return ids;
}

/** Policies are compared by their owner and by auditors. */
const isForeign = (error: unknown): boolean => error instanceof BlockworkApiError && error.error === 'POLICY_NOT_OWNED';

const NOTHING = 'The token owns no published policy on this server, and is no auditor: there is nothing to compare.';

function describeComparison({ policyId, at, publishedAs, compared, differences, notes }: Comparison): string {
  const counts = Object.entries(compared)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${String(count)} ${name}`);
  const lines = [
    `Policy ${policyId}, up to ${at}: ${counts.join(', ') || 'nothing to compare'}; differences: ${String(differences.length)}`,
    ...(publishedAs === undefined
      ? []
      : [`  published as ${publishedAs}: blockwork ledger fetch ${publishedAs} --network <network>`]),
    ...differences.flatMap(({ kind, subject, book, ledger, remedy }) => [
      `  ${kind}  ${subject}`,
      `    book:   ${short(book)}`,
      `    ledger: ${short(ledger)}`,
      `    ${remedy}`,
    ]),
    ...notes.map((note) => `  note: ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

const short = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)} ...`);
