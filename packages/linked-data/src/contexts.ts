/** The contexts of documents: a closed set, files of published schemas, and what stands for schemas without a file. */
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
 * The context documents that a document needs, by address. A file must be the one that a CID in its address names. The
 * context of an unpublished schema is made of the document: each member that a subject has at its first level gets a
 * meaning of its own, and its value is signed as the JSON that it is, with the order of lists.
 *
 * @example const contexts = await contextsOf(credential, []);
 */
export async function contextsOf(
  document: JsonObject,
  published: readonly LinkedContext[],
): Promise<Map<string, JsonObject>> {
  const contexts = new Map<string, JsonObject>();
  for (const [address, names] of membersByContext(document))
    if (isUnpublished(address)) contexts.set(address, unpublishedContext(address, names));
  for (const { address, document: file } of published) {
    if (isUnpublished(address)) continue;
    const [cid] = /\bbafkrei[a-z2-7]{52}\b/.exec(address) ?? [];
    if (cid !== undefined && cid !== (await cidOf(JSON.stringify(file))))
      throw new Error(`what is known as the context ${address} is another file`);
    contexts.set(address, file);
  }
  return contexts;
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

/** Terms must look neither like addresses nor like keywords, and those of credentials keep their meaning. */
const isTerm = (name: string): boolean =>
  /^[^@:/\s][^:/]{0,300}$/.test(name) && !['id', 'type', 'proof'].includes(name);

const unpublishedContext = (address: string, names: Iterable<string>): JsonObject => ({
  '@context': {
    '@version': 1.1,
    '@vocab': `${address}#`,
    id: '@id',
    type: '@type',
    ...Object.fromEntries(
      [...names]
        .filter(isTerm)
        .sort()
        .map((name) => [name, { '@id': `${address}#${encodeURIComponent(name)}`, '@type': '@json' }]),
    ),
  },
});

/** Names of members that the library cannot handle. */
const UNSIGNED = ['__proto__', 'hasOwnProperty'];

/** Why the document cannot be read with a closed set of contexts; `null` if it can. */
export function contextProblem(value: Json): string | null {
  if (Array.isArray(value)) return firstOf(value, contextProblem);
  if (!isObject(value)) return null;
  const unsigned = UNSIGNED.find((name) => Object.hasOwn(value, name));
  if (unsigned !== undefined) return `it has a member "${unsigned}", which would not be signed`;
  const own = firstOf([value['@context'] ?? []].flat(), (each) =>
    typeof each === 'string' || isOpen(each) ? null : 'its @context defines terms in place',
  );
  return (
    own ?? firstOf(Object.entries(value), ([name, member]) => (name === '@context' ? null : contextProblem(member)))
  );
}

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
