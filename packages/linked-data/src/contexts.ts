/** The contexts of documents: a closed set, files of published schemas, and what stands for schemas without a file. */
import { schemaContext } from '@blockwork/contract/schema-context';
import { LinkedDataError } from './linked-data-error.js';
import { isObject, type Json, type JsonObject } from './json.js';

/** The context of a published schema: its address, and what is in the file, with the members in their order. */
export interface LinkedContext {
  readonly address: string;
  readonly document: JsonObject;
}

/** Where terms that no context defines get their meaning, as in the reference's schemas. */
const UNDEFINED_TERM = 'https://w3id.org/traceability/#undefinedTerm';

/** Schemas that were never published have no file. */
const isUnpublished = (address: string): boolean => address.startsWith('schema:');

/**
 * The context documents that a document needs, by address. A file must be the one that a CID in its address names, and use no
 * keyword with which something would not be signed. The context of an unpublished schema is made of the document: each member that a
 * subject has at its first level gets a meaning of its own, and its value is signed as the JSON that it is, with the order of lists.
 * Rejects with a `LinkedDataError`.
 *
 * @example const contexts = await contextsOf(credential, []);
 */
export async function contextsOf(
  document: JsonObject,
  published: readonly LinkedContext[],
): Promise<Map<string, JsonObject>> {
  const contexts = new Map<string, JsonObject>();
  const named = membersByContext(document);
  for (const [address, names] of named)
    if (isUnpublished(address)) contexts.set(address, schemaContext(address, names));
  for (const { address, document: file } of published) {
    if (isUnpublished(address) || !named.has(address)) continue;
    const [cid] = /\bbafkrei[a-z2-7]{52}\b/.exec(address) ?? [];
    if (cid !== undefined && cid !== (await cidOf(JSON.stringify(file))))
      throw new LinkedDataError(`what is known as the context ${address} is another file`);
    const keyword = refusedKeyword(file);
    if (keyword !== undefined)
      throw new LinkedDataError(`the context ${address} uses ${keyword}, with which something may not be signed`);
    contexts.set(address, file);
  }
  return contexts;
}

/** Others than these, such as `@index` and `@nest`, leave something out of the statements. */
const KEYWORDS = new Set(
  ['context', 'version', 'vocab', 'protected', 'id', 'type', 'json', 'container', 'set', 'list'].map(
    (name) => `@${name}`,
  ),
);

/** The first keyword, as a name or a value, with which a context may keep parts of documents from being signed. */
function refusedKeyword(value: Json): string | undefined {
  if (typeof value === 'string') return value.startsWith('@') && !KEYWORDS.has(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Array.isArray(value) ? value : Object.entries(value).flat()) {
    const keyword = refusedKeyword(part);
    if (keyword !== undefined) return keyword;
  }
  return undefined;
}

/** The names of members of the objects that have a context, by its address. */
function membersByContext(
  value: Json,
  found = new Map<string, Set<string>>(),
  isWhole = true,
): Map<string, Set<string>> {
  if (Array.isArray(value)) for (const item of value) membersByContext(item, found, false);
  if (!isObject(value)) return found;
  const { '@context': context = [], ...members } = value;
  for (const address of [context].flat()) {
    if (typeof address !== 'string') continue;
    const names = found.get(address) ?? new Set();
    found.set(address, names);
    // The envelope names the contexts of its subjects, but its own members are those of credentials.
    if (!isWhole && !isEnvelope(value)) for (const name of Object.keys(members)) names.add(name);
  }
  for (const member of Object.values(members)) membersByContext(member, found, false);
  return found;
}

const isEnvelope = ({ type = [] }: JsonObject): boolean =>
  [type].flat().some((each) => each === 'VerifiableCredential' || each === 'VerifiablePresentation');

/** Names of members that the library cannot handle. */
const UNHANDLED = ['__proto__', 'hasOwnProperty'];

/** Objects in a document; each takes the library longer than a megabyte of text. */
const OBJECTS_AT_MOST = 20_000;

/**
 * Why the document cannot be read with a closed set of contexts, and with all that it says signed; `null` if it can. Members that look
 * like keywords or addresses have a meaning of their own in linked data, such as none at all, and texts that look like labels of nodes
 * can make a graph that takes forever.
 */
export function contextProblem(document: JsonObject): string | null {
  let objects = 0;
  const problemOf = (value: Json): string | null => {
    if (typeof value === 'string') return value.startsWith('_:') ? 'it has a text that begins with "_:"' : null;
    if (Array.isArray(value)) return firstOf(value, problemOf);
    if (!isObject(value)) return null;
    objects += 1;
    if (objects > OBJECTS_AT_MOST) return `it has more than ${String(OBJECTS_AT_MOST)} objects`;
    const { '@context': context = [], ...members } = value;
    const own = firstOf([context].flat(), (each) =>
      typeof each === 'string' || isOpen(each) ? null : 'its @context defines terms in place',
    );
    return own ?? firstOf(Object.entries(members), ([name, member]) => nameProblem(name) ?? problemOf(member));
  };
  return problemOf(document);
}

const nameProblem = (name: string): string | null =>
  name.startsWith('@') || name.includes(':') || UNHANDLED.includes(name)
    ? `it has a member "${name.slice(0, 100)}", which would not be signed`
    : null;

/** The only context that may stand in a document: for subjects of no schema. */
const isOpen = (value: Json): boolean => JSON.stringify(value) === JSON.stringify({ '@vocab': UNDEFINED_TERM });

function firstOf<Item>(items: readonly Item[], problemOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}

/** The CID (version 1, raw) of a file of one block. */
async function cidOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const bits = Array.from([1, 0x55, 0x12, 32, ...hash], (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? [];
  return `b${digits.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]).join('')}`;
}
