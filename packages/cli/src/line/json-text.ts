/** JSON from files that people write. */
import { plainJson } from '@blockwork/core/files';
import { exitCodes } from './exit-codes.js';
import { CommandError } from './failure.js';

/** As `JSON.parse`, but accepts a byte order mark, comments and trailing commas. Throws a `SyntaxError` whose message is one line that says where the text stops being JSON. */
export function parseJsonText(text: string): unknown {
  const json = plainJson(text.replace(/^\uFEFF/, ''));
  try {
    return JSON.parse(json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(withPlace(message, json), { cause: error });
  }
}

/** V8 gives either a position, or the text around the error. */
const withPlace = (message: string, json: string): string =>
  message
    .replace(/ is not valid JSON$/, '')
    .replace(/ in JSON at position (\d+).*$/, (_, position: string) => ` at ${placeIn(json, Number(position))}`)
    .replace(/\s+/g, ' ');

function placeIn(json: string, position: number): string {
  const lines = json.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Throws a `CommandError` that locates the error. */
export function parseJson(text: string, path: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.unreadable, `${path} is not valid JSON: ${reason}`, 'POLICY_FILE_INVALID');
  }
}
