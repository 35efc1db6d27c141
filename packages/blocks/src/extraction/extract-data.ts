/** `extractDataBlock`: extracts parts of documents for blocks that calculate on them, and merges them back. */
import {
  asJson,
  type BlockEvent,
  defineBlock,
  type DocumentInput,
  documentsIn,
  finding,
  type Finding,
  isObject,
  type Json,
  type JsonObject,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { calculatedDocument, type Source } from '../calculation/source-documents.js';
import { subjectOf } from '../common/subject.js';
import { definitionsIn, propertiesOf, resolved, takesField } from '../schemas/index.js';

const { text } = tolerant;

const options = z.object({
  /** `get` extracts parts; `set` merges them back into their documents. */
  action: text.transform((action) => action || 'get').pipe(z.enum(['get', 'set'])),
  /** Schema of the parts. */
  schema: text,
});
type Context = RunContext<z.infer<typeof options>>;

/** Maximum number of parts per run. */
const PARTS_AT_MOST = 1000;

/** Passed along from the extracting block to the merging one: the documents, and earlier pass-through data. */
const extracted = z.object({
  extractedFrom: z.array(z.custom<DocumentInput>(isObject)),
  schema: z.string(),
  before: z.json(),
});

export const extractDataBlock = defineBlock({
  type: 'extractDataBlock',
  title: 'Parts of documents',
  description: 'Extracts parts of one schema from documents as separate documents, or merges them back.',
  kind: 'server',
  passesOn: true,
  children: 'none',
  options,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],
  check: (node, { schema }): Finding[] =>
    schema === ''
      ? [finding(node, { path: '/schema', message: `"${node.tag}" does not say of which schema the parts are.` })]
      : [],
  on: {
    async RunEvent(ctx, event) {
      if (ctx.options.schema === '') ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: 'it names no schema' } });
      await (ctx.options.action === 'get' ? takeOut(ctx, event) : putBack(ctx, event));
    },
  },
});

/** Each part becomes an unsigned credential that belongs to the owner of its document. */
async function takeOut(ctx: Context, { data, carried }: BlockEvent): Promise<void> {
  const { schema } = ctx.options;
  const sources = documentsIn(data);
  const documents: DocumentInput[] = [];
  for (const document of sources) {
    for (const part of await partsOf(ctx, document, schema)) {
      if (documents.length >= PARTS_AT_MOST) {
        refuse(ctx, sources, `they have more than ${String(PARTS_AT_MOST)} parts of the schema ${schema}`);
      }
      await ctx.budget.giveWay();
      const source: Source = { document, subject: part };
      const credential = { issuer: ctx.policy.owner, subject: structuredClone(part) };
      documents.push(await calculatedDocument(ctx, [source], { schema, credential, unsigned: true }));
    }
  }
  const riding: Json = { extractedFrom: sources.map(asJson), schema, before: carried };
  ctx.emit('RunEvent', documents, { carried: riding });
}

/** A document with changed parts loses its proof, which no longer matches the content. */
async function putBack(ctx: Context, { data, carried }: BlockEvent): Promise<void> {
  const { schema } = ctx.options;
  const documents = documentsIn(data);
  const riding = extracted.safeParse(carried);
  if (!riding.success || riding.data.schema !== schema) {
    return refuse(ctx, documents, `no block before took parts of the schema ${schema} out of documents`);
  }
  const { extractedFrom, before } = riding.data;
  const parts = documents.map(({ document }) => subjectOf(document));
  const places: JsonObject[][] = [];
  for (const source of extractedFrom) {
    await ctx.budget.giveWay();
    places.push(await partsOf(ctx, source, schema));
  }
  const count = places.flat().length;
  if (count !== parts.length) {
    refuse(ctx, documents, `${String(count)} parts were taken out, and ${String(parts.length)} came back`);
  }
  const content = (await ctx.definitions.schema(schema))?.document ?? {};
  const changed = extractedFrom.map((source, index) => {
    const written = JSON.stringify(source.document);
    for (const place of places[index] ?? []) assign(place, parts.shift() ?? {}, content);
    return JSON.stringify(source.document) === written ? source : unsigned(ctx, source);
  });
  ctx.emit('RunEvent', changed.length === 1 ? (changed[0] ?? null) : changed, { carried: before });
}

async function partsOf(ctx: Context, { document, schema }: DocumentInput, iri: string): Promise<JsonObject[]> {
  const subject = subjectOf(document);
  const around = typeof schema === 'string' ? await ctx.definitions.schema(schema) : undefined;
  if (subject === undefined || around?.document == null) return [];
  return nestedObjects(around.document, subject, iri);
}

/** Drops members that blocks in between added, unless the schema of the part allows them. */
function assign(place: JsonObject, part: JsonObject, schema: JsonObject): void {
  for (const [name, value] of Object.entries(part)) {
    const isAdded = addedByBlocks.has(name) && !Object.hasOwn(place, name);
    if (isAdded || !takesField(schema, name)) continue;
    Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
  }
}

const addedByBlocks: ReadonlySet<string> = new Set(['id', 'policyId', 'ref']);

function unsigned(ctx: Context, source: DocumentInput): DocumentInput {
  const { proof: _proof, ...document } = source.document;
  return { ...source, document, hash: ctx.credentials.hash(document), signature: 0 };
}

function refuse(ctx: Context, documents: readonly DocumentInput[], why: string): never {
  const names = documents.map(({ id }) => id ?? 'a document').join(', ');
  const which = names || 'nothing';
  return ctx.fail('DOCUMENT_REFUSED', { facts: { what: 'Invalid documents', which, why } });
}

/** Maximum search depth. */
const LEVELS = 20;

/** The objects themselves, not copies, in field order; walks lists and skips missing values. */
export function nestedObjects(schema: JsonObject, subject: JsonObject, iri: string): JsonObject[] {
  const definitions = definitionsIn(schema);
  const objects: JsonObject[] = [];
  const look = (property: unknown, value: unknown, level: number): void => {
    if (Array.isArray(value)) {
      const items = isObject(property) ? property.items : undefined;
      for (const each of value) look(items, each, level);
      return;
    }
    if (!isObject(value) || !isObject(property)) return;
    const definition = resolved(property, definitions);
    if (property.$ref === iri || (level > 0 && definition?.$id === iri)) objects.push(value as JsonObject);
    else if (definition !== undefined && level < LEVELS) visitMembers(definition, value, level);
  };
  const visitMembers = (definition: Record<string, unknown>, value: Record<string, unknown>, level: number): void => {
    for (const [name, property] of Object.entries(propertiesOf(definition))) {
      if (Object.hasOwn(value, name)) look(firstOf(property), value[name], level + 1);
    }
  };
  visitMembers(schema, subject, 0);
  return objects;
}

/** A field with several alternatives uses the first, as in forms. */
function firstOf(property: unknown): unknown {
  if (!isObject(property) || !Array.isArray(property.oneOf)) return property;
  const alternatives: readonly unknown[] = property.oneOf;
  return alternatives[0];
}
