/** Hashes of a policy's documents as linked data, with the contexts of its published schemas. */
import type { DefinitionReader } from '../block-api/index.js';
import type { LinkedHash } from '../credentials/index.js';
import { BlockworkError } from '../errors.js';
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
  return async (parts, document) => {
    const published = schemas === null ? [] : await publishedContexts(document, schemas);
    try {
      return await linkedData.hashes(parts, document, published);
    } catch (error) {
      throw isRefusal(error) ? unreadable(error.message, error) : error;
    }
  };
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'CREDENTIAL_INVALID';

const unreadable = (reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('CREDENTIAL_INVALID', { facts: { reason }, cause });

/** Objects in a document, and types of those that have a context: each type is a read of the store. */
const OBJECTS_AT_MOST = 20_000;
const TYPES_AT_MOST = 200;

/**
 * The contexts of the published schemas that the document and what is in it are of, as far as it names them. Throws
 * `CREDENTIAL_INVALID` if it holds too many objects or types.
 */
export async function publishedContexts(document: JsonObject, schemas: SchemaSource): Promise<LinkedContext[]> {
  const named = { types: new Set<string>(), contexts: new Set<string>(), objects: 0 };
  collectNames(document, named);
  const records = await Promise.all([...named.types].map((type) => schemas.schema(`#${type}`)));
  const contexts = records.flatMap((record) => (record === undefined ? [] : contextOf(record)));
  return contexts.filter(({ address }) => named.contexts.has(address));
}

/** The context at the address that a schema's documents name; none if the schema was never published. */
export function contextOf({ source: { contextURL: address, context } }: SchemaRecord): LinkedContext | [] {
  const document = typeof context === 'string' ? parsed(context) : context;
  return typeof address === 'string' && address !== '' && isObject(document) ? { address, document } : [];
}

interface Named {
  readonly types: Set<string>;
  readonly contexts: Set<string>;
  objects: number;
}

/** The contexts, and the types of the objects that have one. */
function collectNames(value: Json, named: Named): void {
  if (Array.isArray(value)) for (const item of value) collectNames(item, named);
  if (!isObject(value)) return;
  named.objects += 1;
  const { type = [], '@context': context, ...members } = value;
  if (context !== undefined) {
    for (const each of [type].flat()) if (typeof each === 'string') named.types.add(each);
    for (const each of [context].flat()) if (typeof each === 'string') named.contexts.add(each);
  }
  if (named.objects > OBJECTS_AT_MOST) throw unreadable(`it has more than ${String(OBJECTS_AT_MOST)} objects`);
  if (named.types.size > TYPES_AT_MOST) throw unreadable(`it names more than ${String(TYPES_AT_MOST)} types`);
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
