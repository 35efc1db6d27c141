/** Tools: parts of policies that are published by themselves, and which policies refer to. */
import type { BlockSource } from './policy-configuration.js';
import type { ArtifactRecord, SchemaRecord } from './bundle.js';
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
