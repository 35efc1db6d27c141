/** The answers of tools: JSON of a limited size, and errors with their code, their place and what to do. */
import { BlockworkApiError } from '@blockwork/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isObject } from '@blockwork/core/records';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError, explainFailure } from '../line/failure.js';
import { shownText } from '../line/shown-text.js';

/** Bytes of one answer. */
export const ANSWER_BYTES = 64 * 1024;

/** Throws `ANSWER_TOO_LARGE`, which names the parts to ask for instead. */
export function answerOf(value: unknown, narrower: string): CallToolResult {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > ANSWER_BYTES) {
    const message = `The answer would have ${String(bytes)} bytes, more than ${String(ANSWER_BYTES)}. ${narrower}${sizes(value)}`;
    throw new CommandError(exitCodes.usage, message, 'ANSWER_TOO_LARGE');
  }
  return { content: [{ type: 'text', text }] };
}

export function errorAnswer(error: unknown): CallToolResult {
  const { code, message } = error instanceof BlockworkApiError ? fromInterface(error) : explainFailure(error);
  const details = detailsOf(error).map((each) => ({ ...each, message: shownText(each.message) }));
  // A stack is of no use to a client, and names paths of this machine.
  const told = code === 'INTERNAL' ? 'This is a bug in blockwork, not an error in your input.' : shownText(message);
  const text = JSON.stringify({ error: code, message: told, ...(details.length > 0 && { details }) });
  return { content: [{ type: 'text', text: cut(text, ANSWER_BYTES) }], isError: true };
}

const fromInterface = ({ error, message }: BlockworkApiError): { code: string; message: string } => ({
  code: error,
  message,
});

/** The first of the items that fit, and how many there are. */
export function firstFitting<T>(items: readonly T[], bytes: number): readonly T[] {
  let left = bytes;
  const at = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) < 0);
  return at === -1 ? items : items.slice(0, at);
}

/** At most so many bytes, and whole lines where there are some. */
export function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const note = '\n(cut here, as the answer would be too large)';
  const head = Buffer.from(text)
    .subarray(0, bytes - note.length)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.length / 2)) + note;
}

function sizes(value: unknown): string {
  const inner = isObject(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  if (typeof inner !== 'object' || inner === null) return '';
  const parts = Object.entries(inner).map(([name, part]) => `${name} (${String(JSON.stringify(part).length)})`);
  return ` Its parts, with their sizes: ${cut(parts.slice(0, 40).join(', '), 2_000)}.`;
}

type Detail = Readonly<Record<string, unknown>> & { readonly message: string };

function detailsOf(error: unknown): readonly Detail[] {
  const details = error instanceof Error && 'details' in error ? error.details : [];
  return Array.isArray(details) ? details.filter(isDetail) : [];
}

const isDetail = (value: unknown): value is Detail => isObject(value) && typeof value['message'] === 'string';
