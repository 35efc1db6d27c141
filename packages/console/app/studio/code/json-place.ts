/** Where in a JSON text somebody types, though the text may not be JSON yet: the objects and lists around, and the token there. */

/** An object or list that is open at the place. */
export interface Frame {
  readonly isList: boolean;
  /** The step that leads to it from the one around it. */
  readonly step: string;
  /** The names of its members, those after the place included. */
  readonly names: string[];
  /** Its members that are texts. */
  readonly texts: Map<string, string>;
}

export interface JsonPlace {
  /** Outermost first. */
  readonly frames: readonly Frame[];
  /** A name of a member, or a value. */
  readonly kind: 'name' | 'value';
  /** For a value: the name of its member, or its position in the list. */
  readonly step: string;
  /** The token there, with its quotes; empty between tokens. */
  readonly from: number;
  readonly to: number;
}

interface Open extends Frame {
  /** What the next value is called; in an object, the name read last. */
  next: string;
  count: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** `undefined` outside of any object and list. */
export function jsonPlaceAt(text: string, position: number): JsonPlace | undefined {
  const stack: Open[] = [];
  let place: JsonPlace | undefined;
  const note = (from: number, to: number): void => {
    const top = stack.at(-1);
    if (top === undefined) return;
    const kind = !top.isList && top.expects !== 'value' ? 'name' : 'value';
    place = { frames: [...stack], kind, step: top.isList ? String(top.count) : top.next, from, to };
  };
  let isPast = false;
  for (const { 0: word, index } of text.matchAll(token)) {
    const end = index + word.length;
    if (!isPast && position <= index) {
      isPast = true;
      note(position, position);
    } else if (!isPast && position <= end && !/^[{}[\],:]$/.test(word)) {
      isPast = true;
      note(index, end);
    }
    // The rest says what else there is in the objects around.
    if (isPast && place === undefined) return undefined;
    advance(stack, word);
  }
  if (!isPast) note(position, position);
  return place;
}

/** A member that lacks its value or a comma is followed by the name of the next one. */
const isName = ({ isList, expects }: Open, word: string): boolean =>
  !isList && (expects === 'name' || (expects !== 'value' && word.startsWith('"')));

function advance(stack: Open[], word: string): void {
  const top = stack.at(-1);
  if (word === '{' || word === '[') {
    const step = top === undefined ? '' : top.isList ? String(top.count) : top.next;
    const expects = word === '[' ? 'value' : 'name';
    stack.push({ isList: word === '[', step, names: [], texts: new Map(), next: '', count: 0, expects });
  } else if (word === '}' || word === ']') {
    stack.pop();
    const around = stack.at(-1);
    if (around !== undefined) around.expects = 'comma';
  } else if (top === undefined) return;
  else if (word === ',') {
    if (top.isList) top.count += 1;
    top.expects = top.isList ? 'value' : 'name';
  } else if (word === ':') top.expects = 'value';
  else if (isName(top, word)) {
    top.next = unquoted(word);
    top.names.push(top.next);
    top.expects = 'colon';
  } else {
    if (!top.isList && top.expects === 'value' && word.startsWith('"')) top.texts.set(top.next, unquoted(word));
    top.expects = 'comma';
  }
}

export function unquoted(word: string): string {
  try {
    const value: unknown = JSON.parse(word);
    return typeof value === 'string' ? value : word;
  } catch {
    return word.replaceAll('"', '');
  }
}
