/** Hashes of a policy's documents as linked data, with the contexts of its published schemas. */
import type { DefinitionReader } from '../block-api/index.js';
import type { LinkedHash } from '../credentials/index.js';
import type { LinkedContext, LinkedData, ProofSuite } from '../ports/index.js';
import { isObject } from '../records/index.js';
import type { Json, JsonObject, SchemaRecord } from '../records/index.js';

/** How an instance signs, and whether it can verify proofs of linked data. */
export interface Proofs {
  readonly suite: ProofSuite;
  readonly linkedData: LinkedData | null;
}

export type SchemaSource = Pick<DefinitionReader, 'schema'>;

/** `undefined` without `linkedData`; without schemas, only the contexts of standards and of unpublished schemas are known. */
export function linkedHash(proofs: Proofs | undefined, schemas: SchemaSource | null): LinkedHash | undefined {
  const { linkedData = null } = proofs ?? {};
  if (linkedData === null) return undefined;
  return async (part, document) =>
    linkedData.hash(part, document, schemas === null ? [] : await publishedContexts(document, schemas));
}

/** The contexts of the published schemas that the document and what is in it are of, as far as it names them. */
export async function publishedContexts(document: JsonObject, schemas: SchemaSource): Promise<LinkedContext[]> {
  const named = { types: new Set<string>(), contexts: new Set<string>() };
  collectNames(document, named);
  const records = await Promise.all([...named.types].map((type) => schemas.schema(`#${type}`)));
  const contexts = records.flatMap((record) => (record === undefined ? [] : contextOf(record)));
  return contexts.filter(({ address }) => named.contexts.has(address));
}

function contextOf({ source: { contextURL: address, context } }: SchemaRecord): LinkedContext | [] {
  const document = typeof context === 'string' ? parsed(context) : context;
  return typeof address === 'string' && address !== '' && isObject(document) ? { address, document } : [];
}

/** The contexts, and the types of the objects that have one. */
function collectNames(value: Json, named: { readonly types: Set<string>; readonly contexts: Set<string> }): void {
  if (Array.isArray(value)) for (const item of value) collectNames(item, named);
  if (!isObject(value)) return;
  const { type = [], '@context': context, ...members } = value;
  if (context !== undefined) {
    for (const each of [type].flat()) if (typeof each === 'string') named.types.add(each);
    for (const each of [context].flat()) if (typeof each === 'string') named.contexts.add(each);
  }
  for (const member of Object.values(members)) collectNames(member, named);
}

/** Older archives have contexts as JSON text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
