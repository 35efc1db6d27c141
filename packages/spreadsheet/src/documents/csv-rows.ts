/** The rows of a filled-in table of comma-separated values as documents, as those of a workbook. */
import { parse } from 'csv-parse/sync';
import { WorkbookError } from '../workbook/workbook-error.js';
import { workbookLimits, type WorkbookLimits } from '../workbook/limits.js';
import { rowOf } from '../workbook/workbook.js';
import type { FormTable } from './form-tables.js';
import { readRows, type SheetDocuments } from './read-rows.js';
import { FIRST_ROW, ROW, sheetNameOf } from './row-template.js';

/** What programs write in countries where a comma is part of numbers, and what is copied from a sheet. */
const delimiters = [',', ';', '\t'];

/**
 * The names of the fields are in the first line, or in the second below their questions, as in a template. Lists of nested objects
 * have no place in it.
 *
 * @throws WorkbookError
 */
export function readCsvRows(
  bytes: Uint8Array,
  tables: readonly FormTable[],
  lower: Partial<WorkbookLimits> = {},
): SheetDocuments {
  const limits = { ...workbookLimits, ...lower };
  const lines = linesOf(bytes, limits);
  const isTemplate = lines[FIRST_ROW - 2]?.[0] === ROW;
  const header = isTemplate ? FIRST_ROW - 1 : 1;
  const rows = lines.map((line, at) => rowOf(at + 1, at < header ? line : line.map(meantText)));
  const [form] = tables;
  const name = form === undefined ? '' : sheetNameOf(form, 0);
  return readRows({ sheets: [{ name, rows }] }, form === undefined ? [] : [form], header);
}

function linesOf(bytes: Uint8Array, limits: WorkbookLimits): string[][] {
  if (bytes.length > limits.fileBytes) throw tooLarge(`it has more than ${String(limits.fileBytes)} bytes`);
  const text = decoded(bytes);
  let [cells, count] = [0, 0];
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relaxColumnCount: true,
      maxRecordSize: limits.columns * limits.textCharacters,
      onRecord: (line: string[]) => {
        cells += line.length;
        count += 1;
        if (count > limits.rows) throw tooLarge(`it has more than ${String(limits.rows)} rows`);
        if (line.length > limits.columns)
          throw tooLarge(`row ${String(count)} has more than ${String(limits.columns)} columns`);
        if (cells > limits.cells) throw tooLarge(`it has more than ${String(limits.cells)} cells`);
        return line;
      },
    });
  } catch (cause) {
    if (cause instanceof WorkbookError) throw cause;
    throw invalid(cause instanceof Error ? cause.message : 'it cannot be read', cause);
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('it is not in UTF-8: save it as "CSV UTF-8"', cause);
  }
}

/** The one that the first line has most of. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counts = delimiters.map((each) => first.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** An apostrophe keeps spreadsheet programs from taking a text for a formula; `tableCsv` writes it. */
const meantText = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

const invalid = (reason: string, cause?: unknown): WorkbookError =>
  new WorkbookError('WORKBOOK_INVALID', `The file cannot be read as comma-separated values: ${reason}.`, cause);

const tooLarge = (reason: string): WorkbookError =>
  new WorkbookError('WORKBOOK_TOO_LARGE', `The file is too large: ${reason}.`);
