/** The tools of a policy as they are published on an external ledger. */
import { toolReferences } from '../../policy/index.js';
import type { PublishedTool, SchemaOfTool } from '../../ports/index.js';
import { type SchemaRecord, toolKey, type ToolRecord } from '../../records/index.js';
import { inOrderOfUse, publishedSchema, schemaFacts, schemasInOrder, usedIn } from './published-schemas.js';

/** Each after those that it uses. `fileOf`: the file that a tool was imported from. */
export const publishedTools = (
  tools: readonly ToolRecord[],
  fileOf: (tool: ToolRecord) => Promise<Uint8Array>,
): PublishedTool[] =>
  inOrderOfUse(tools, toolKey, ({ config }) => toolReferences(config).map(toolKey)).map((tool) => {
    const { messageId, hash, name, description, digest, schemas, source } = tool;
    const uuid = typeof source['uuid'] === 'string' ? source['uuid'] : '';
    return { messageId, hash, uuid, name, description, digest, schemas: ofTool(schemas), file: () => fileOf(tool) };
  });

function ofTool(records: readonly SchemaRecord[]): SchemaOfTool[] {
  const schemas = schemasInOrder(records);
  const places = new Map(schemas.map(({ id }, place) => [id, place]));
  return schemas.flatMap((record, place) => {
    const schema = publishedSchema(record);
    const uses = usedIn(record)
      .flatMap((iri) => places.get(iri) ?? [])
      .filter((used) => used < place);
    return schema === undefined ? [] : { ...schema, about: schemaFacts(record), uses };
  });
}
