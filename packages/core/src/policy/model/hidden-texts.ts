/** The values of a block's sensitive options that no message may quote. */
import type { BlockSource } from '../../records/index.js';
import { shownText, withoutTexts } from '../../shown-text.js';
import type { BlockDefinition, BlockNode } from './policy-model.js';
import { markedTexts, namesSecret } from './sensitive.js';

/** Shorter values occur by chance. */
const SHORTEST = 4;
/** A text of letters only is a word, unless it is long. */
const SHORTEST_WORD = 12;

const isTelling = (text: string): boolean =>
  text.length >= SHORTEST && (text.length >= SHORTEST_WORD || /[^a-z]/i.test(text)) && !mediaType.test(text);

/** The most usual value of a header, which is no secret. */
const mediaType = /^[a-z]+\/[\w.+*-]+(;.*)?$/i;

/** A block may have very many findings. */
const cachedTexts = new WeakMap<
  BlockSource,
  { readonly definition: BlockDefinition | null; readonly texts: string[] }
>();

function hiddenTexts({ source, definition }: BlockNode): string[] {
  const before = cachedTexts.get(source);
  if (before?.definition === definition) return before.texts;
  const texts = textsIn(source, definition);
  cachedTexts.set(source, { definition, texts });
  return texts;
}

/** Longest first, since one may contain another. */
function textsIn({ children: _children, ...own }: BlockSource, definition: BlockDefinition | null): string[] {
  const texts = markedTexts(own, definition?.options).flatMap(secretParts);
  return [...new Set(texts)].filter(isTelling).sort((one, other) => other.length - one.length);
}

/** What messages about the block may say of this text. */
export const shownOf = (block: BlockNode, text: string): string => withoutTexts(shownText(text), hiddenTexts(block));

/** Where it calls may be told of an address, but not how it gets in there. */
function secretParts(value: string): string[] {
  const address = /^\s*[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?[^?#]*(.*)$/is.exec(value);
  if (address === null) return [...literals(value), ...secretMembers(value)];
  const [, userInfo = '', query = ''] = address;
  const values = query.split(/[?&#]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const parts = [userInfo, ...userInfo.split(':').slice(1), ...values, query.slice(1)].flatMap(literals);
  return [...parts, ...parts.map(decoded)];
}

/** Between placeholders, and behind the scheme of a header. */
const literals = (value: string): string[] =>
  value.split(/\$\{[^{}]*\}|\{\{[^{}]*\}\}/).flatMap((part) => {
    const text = part.trim();
    return [text, text.replace(/^[a-z]+ +/i, '')];
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const secretMembers = (body: string): string[] =>
  [...body.matchAll(/"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].flatMap(([, name = '', value = '']) =>
    namesSecret(name) ? literals(value) : [],
  );
