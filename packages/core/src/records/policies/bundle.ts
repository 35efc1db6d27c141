/** The schemas, tokens and files that come with a policy. */
import type { JsonObject } from '../json/json.js';

/** A JSON Schema of the policy; `id` is its IRI. */
export interface SchemaRecord {
  id: string;
  name: string;
  entity: string;
  status: string;
  /** The schema as a JSON Schema document; `null` if the file holds none that can be parsed. */
  document: JsonObject | null;
  /** All other members from the file, unchanged. */
  source: JsonObject;
}

/** A token that blocks name by `tokenId`. */
export interface TokenRecord {
  id: string;
  tokenName: string;
  tokenSymbol: string;
  source: JsonObject;
}

/**
 * An entry of the archive that a policy came from, which nothing here makes use of but an export; or the file of a tool. `id` is
 * the name of the entry, or the id of the tool. Content is kept as base64.
 */
export interface ArchiveFile {
  id: string;
  content: string;
}

/** A file used by blocks, for instance data for a calculation. Content is kept as base64. */
export interface ArtifactRecord {
  id: string;
  name: string;
  extension: string;
  content: string;
}
