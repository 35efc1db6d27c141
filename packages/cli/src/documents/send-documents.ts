/** `blockwork documents send`: many documents into a form. What was sent is noted, so that a repeated command goes on. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BlockworkApiError } from '@blockwork/client';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { withProgress } from '../line/io.js';
import { SendReport } from './send-report.js';
import { serverBlock, type ServerBlock } from './server-block.js';

type Checked = Awaited<ReturnType<ServerBlock['client']['routes']['checkRows']>>['data'];
type Row = Checked['rows'][number];

export const run: CommandRun = async (input, io) => {
  const [, file = ''] = input.args;
  const block = await serverBlock(input, io);
  const { client, address } = block;
  const body = new Uint8Array(await readFile(file));
  const { rows, findings } = (await client.routes.checkRows({ ...address, body })).data;
  const isUnusable = findings.some(({ severity }) => severity === 'error');
  const invalid = rows.filter(({ problems }) => problems.length > 0);
  const problems = [
    ...findings.map(({ sheet, cell, severity, code, message }) => {
      const place = [sheet, ...(cell === undefined ? [] : [cell])].join('!');
      return `  ${place}  ${severity}  ${code}  ${message}`;
    }),
    ...invalid.flatMap((row) => row.problems.map(({ cell, message }) => `  ${cell}  error  ROW_INVALID  ${message}`)),
  ];
  const isRefused = isUnusable || (invalid.length > 0 && input.options['validOnly'] !== true);
  const isChecked = input.options['check'] === true;
  const report = await SendReport.open(`${file}.report.jsonl`);
  const valid = keyed(block, rows);
  const before = valid.filter(({ key }) => report.has(key)).length;
  if (!isRefused && !isChecked) {
    await withProgress(io, (show) => sendAll(block, valid, report, show));
  }
  const { sent, refused } = report;
  const counts = { rows: rows.length, invalid: invalid.length, sent, sentBefore: before, refused };
  const text = (): string => {
    const end = isChecked
      ? `${String(rows.length)} rows, ${String(invalid.length)} with problems.`
      : isRefused
        ? 'Nothing was sent: correct the cells first, or use --valid-only.'
        : `Sent ${String(sent)} of ${String(rows.length)} rows; ${String(before)} were sent before, ${String(refused)} were refused. See ${report.file}.`;
    return `${[...problems, end].join('\n')}\n`;
  };
  await printResult(input, io, { value: { ...counts, problems, report: report.file }, text });
  return isUnusable || invalid.length > 0 || refused > 0 ? exitCodes.found : exitCodes.ok;
};

interface KeyedRow extends Row {
  readonly key: string;
}

/** Each with its key: equal rows are told apart by their number among them, so that a corrected row is another one. */
function keyed({ address }: ServerBlock, rows: readonly Row[]): KeyedRow[] {
  const counts = new Map<string, number>();
  return rows
    .filter(({ problems }) => problems.length === 0)
    .map((row) => {
      const text = JSON.stringify([address.policyId, address.uuid, row.document]);
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return {
        ...row,
        key: createHash('sha256')
          .update(`${text}${String(count)}`)
          .digest('hex'),
      };
    });
}

/** A row that is refused does not keep the others from being sent; a server that does not answer does. */
async function sendAll(
  { client, address }: ServerBlock,
  rows: readonly KeyedRow[],
  report: SendReport,
  show: (line: string) => void,
): Promise<void> {
  for (const [index, { row, key, document }] of rows.entries()) {
    show(`Row ${String(index + 1)} of ${String(rows.length)}`);
    if (report.has(key)) continue;
    try {
      await client.routes.sendToBlock({ ...address, body: { document, ref: null }, idempotencyKey: key });
      await report.add({ row, key, outcome: 'sent' });
    } catch (error) {
      if (!(error instanceof BlockworkApiError) || ![409, 422].includes(error.status)) throw error;
      await report.add({ row, key, outcome: 'refused', error: error.error, message: error.message });
    }
  }
}
