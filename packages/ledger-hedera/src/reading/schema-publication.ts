/** A published schema: the JSON Schema and the JSON-LD context are two files, put together as policies list a schema. */
import { z } from 'zod';
import type { FileSource } from './gateway-files.js';
import { jsonIn } from './json-in.js';
import type { Publication } from './publication.js';

/** Of either file. */
const SCHEMA_BYTES = 4 * 1024 * 1024;

const text = z.string().max(20_000);
const published = z.object({
  name: text.nullish(),
  description: text.nullish(),
  entity: text.nullish(),
  owner: text.nullish(),
  uuid: text.nullish(),
  version: text.nullish(),
  document_cid: text,
  context_cid: text,
  code_version: text.nullish(),
});

const jsonObject = z.record(z.string(), z.unknown());
const schemaDocument = z.looseObject({
  $id: z
    .string()
    .regex(/^#.{1,300}$/)
    .optional(),
});

/** `message` publishes a schema. Rejects if its files cannot be had, are no schema, or are another one. */
export async function readSchema(
  message: unknown,
  facts: Pick<Publication, 'messageId' | 'topicId' | 'payer'>,
  files: FileSource,
): Promise<Publication> {
  const { data } = published.safeParse(message);
  if (data === undefined)
    throw new Error(`The message ${facts.messageId} publishes a schema, and does not name its files.`);
  const { document_cid: cid, context_cid: contextCid, code_version: codeVersion } = data;
  const [document, context] = [
    schemaDocument.safeParse(await jsonFile(files, cid)).data,
    jsonObject.safeParse(await jsonFile(files, contextCid)).data,
  ];
  if (document === undefined) throw new Error(`The file ${cid} is no schema, or has an $id unlike "#<uuid>&1.0.0".`);
  if (context?.['@context'] === undefined) throw new Error(`The file ${contextCid} is no JSON-LD context.`);
  const [name, version, owner] = [data.name ?? '', data.version ?? '', data.owner ?? ''];
  const uuid = data.uuid ?? '';
  const names = uuid === '' ? [] : [version === '' ? `#${uuid}` : `#${uuid}&${version}`, `#${uuid}`];
  const { $id: iri = names[0] } = document;
  if (iri === undefined) throw new Error(`The file ${cid} has no $id, and the message ${facts.messageId} no uuid.`);
  // Documents name their type by it, so that another one would pass for this.
  if (names.length > 0 && !names.includes(iri))
    throw new Error(`The file ${cid} is the schema "${iri}", and the message says ${uuid} in version ${version}.`);
  const entry = {
    iri,
    uuid,
    version,
    name,
    description: data.description ?? '',
    entity: data.entity ?? 'VC',
    owner,
    ...(typeof codeVersion === 'string' && { codeVersion }),
    status: 'PUBLISHED',
    messageId: facts.messageId,
    topicId: facts.topicId,
    documentURL: `ipfs://${cid}`,
    contextURL: `ipfs://${contextCid}`,
    document,
    context,
  };
  return {
    kind: 'schema',
    ...facts,
    name,
    version,
    owner,
    hash: '',
    cid,
    contextCid,
    file: Buffer.from(JSON.stringify(entry), 'utf8'),
  };
}

async function jsonFile(files: FileSource, cid: string): Promise<unknown> {
  const content = await files.get(cid, SCHEMA_BYTES);
  if (content.length > SCHEMA_BYTES) throw new Error(`The file ${cid} has more than ${String(SCHEMA_BYTES)} bytes.`);
  return jsonIn(content);
}
