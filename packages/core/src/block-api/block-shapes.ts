/** What a block accepts and returns, as JSON Schema. Policy descriptions and generated clients are built from it. */
import type { BlockNode, PolicyTree } from '../policy/index.js';
import type { JsonObject } from '../records/index.js';

/** JSON Schemas (2020-12). `{"$ref": "<IRI>"}` stands for the fields of one of the policy's schemas. */
export interface BlockShapes {
  /** Data the block accepts. Default: the JSON Schema of `input`. */
  readonly takes?: JsonObject;
  /** Data the block returns. Default: any object. */
  readonly shows?: JsonObject;
}

/** A block and the policy it belongs to. */
export interface BlockPlace {
  readonly block: BlockNode;
  readonly policy: Pick<PolicyTree, 'roles' | 'groups'>;
}
