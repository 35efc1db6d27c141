/** `blockwork ledger status`: costs, budget, and what waits. */
import type { Client } from '@blockwork/client';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { serverClient } from '../line/server-client.js';

type LedgerState = Awaited<ReturnType<Client['routes']['getLedger']>>['data'];

export const run: CommandRun = async (input, io) => {
  const [url = ''] = input.args;
  const { data: state } = await serverClient(url, input, io).routes.getLedger({});
  await printResult(input, io, { value: state, text: () => describeLedger(state) });
  return state.pause === null ? exitCodes.ok : exitCodes.found;
};

export function describeLedger(state: LedgerState): string {
  const { network, account, currency, balance, readableUpTo, pause, costs, pending, oldest, stuck } = state;
  const spent = costs.budget === null ? 'no daily budget' : `of ${costs.budget} allowed`;
  const reserved = costs.reserved === '0' ? '' : `, up to ${costs.reserved} for transactions under way`;
  const lines = [
    `${network}, account ${account}${balance === null ? '' : ` with ${balance} ${currency}`}`,
    readableUpTo === null ? 'The ledger cannot be read now.' : `Readable up to ${readableUpTo}`,
    `Fees today: ${costs.today} ${currency}${reserved}, ${spent}; in all: ${costs.total} ${currency}`,
    `Effects to settle: ${String(pending)}${oldest === null ? '' : `, the oldest of ${oldest}`}`,
    ...stuck.map(
      ({ id, failures, retryAt, reason }) =>
        `  policy ${id ?? '(all)'}  failures: ${String(failures)}, next attempt ${retryAt}: ${reason}`,
    ),
    ...(pause === null ? [] : [`PAUSED: ${pause.reason}`, `  ${pause.remedy}`]),
  ];
  return `${lines.join('\n')}\n`;
}
