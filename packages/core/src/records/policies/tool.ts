/** Tools: parts of policies that are published by themselves, and which policies refer to. */
import type { JsonObject } from '../json/json.js';

/** How policies name a tool: the ledger message that published it, and its hash. */
export interface ToolReference {
  readonly messageId: string;
  readonly hash: string;
}

/** An imported tool. The hash cannot be computed from its file: the importer supplies it. */
export interface ToolRecord extends ToolReference {
  id: string;
  /** The identity whose policies use it; empty for a tool of the program, which all policies use. */
  owner: string;
  name: string;
  description: string;
  /** The root block, of type `tool`. */
  config: BlockSource;
  schemas: SchemaRecord[];
  artifacts: ArtifactRecord[];
  /** SHA-256 of the file in hexadecimal, to recognise the same file. */
  digest: string;
  /** All other members from the file, unchanged. */
  source: JsonObject;
}

/** Owners of tools: this one stands for the program that embeds the engine. */
export const PROGRAM = '';

/** The length prefix keeps ids of different owners distinct. */
export const toolId = (owner: string, { messageId, hash }: ToolReference): string =>
  `${String(owner.length)}/${owner}/${messageId}/${hash}`;

/** The key of a tool in a map. */
export const toolKey = ({ messageId, hash }: ToolReference): string => `${messageId}/${hash}`;

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

/** The block tree of a policy as it is stored (reference policies: the `config` member of `policy.json`). */

export interface PolicyConfiguration {
  /** The policy's id. */
  id: string;
  /** The root block. */
  config: BlockSource;
  /** Came as an archive, which may lack schemas and tokens that its blocks name: those are then no errors of the author. */
  archived?: boolean;
}

/** A block as written in a policy. Keys beyond these are the block's own options. */
export interface BlockSource {
  id: string;
  blockType: string;
  /** Unique in the policy; empty if the author gave none, which is usual for the root only. */
  tag: string;
  permissions: string[];
  defaultActive: boolean;
  uiMetaData: Record<string, unknown>;
  events: EventSource[];
  /** Further links of a `module` or `tool`: those between its own ports and its children. */
  innerEvents?: EventSource[];
  children: BlockSource[];
  /** Tags of blocks that must complete for a user before this one opens. */
  dependencies: string[];
  onErrorAction?: string;
  stopPropagation?: boolean;
  [option: string]: unknown;
}

/** A link as written in a policy. */
export interface EventSource {
  source: string;
  target: string;
  output: string;
  input: string;
  actor: '' | 'owner' | 'issuer' | null;
  disabled: boolean;
}
