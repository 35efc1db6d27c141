/** The text of messages: ASCII, and short enough for one transaction where readers do not join pieces. */
import type { Json, JsonObject } from '@blockwork/core';
import { CHUNK_BYTES } from '../transactions/operation.js';

/** Readers that decode piece by piece would destroy a character at a border. */
export const ascii = (value: Json): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Characters that are left of each text at first; what still does not fit then loses them as well. */
const SHORTEST = [40, 0];
const MARK = '...';

/** The text of the message, with these members cut so far that it is one piece if possible. */
export function fitted(message: JsonObject, long: readonly string[]): string {
  const cut = { ...message };
  for (const least of SHORTEST)
    for (const name of long) {
      const excess = ascii(cut).length - CHUNK_BYTES;
      if (excess > 0) cut[name] = shortened(cut[name], excess, least);
    }
  return ascii(cut);
}

/** Without so many bytes at its end, as far as so many characters stay. */
function shortened(text: Json | undefined, excess: number, least: number): Json {
  if (typeof text !== 'string') return text ?? null;
  const characters = Array.from(text);
  if (characters.length <= least) return text;
  let bytes = excess + MARK.length;
  const fewest = Math.max(0, least - MARK.length);
  while (bytes > 0 && characters.length > fewest) bytes -= bytesOf(characters.pop() ?? '');
  return characters.length === 0 ? '' : `${characters.join('')}${MARK}`;
}

/** In the message, without the quotes around it. */
const bytesOf = (character: string): number => ascii(character).length - 2;
