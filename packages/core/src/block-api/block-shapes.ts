/** What a block takes and shows, as JSON Schema: descriptions and clients of a policy are made of it. */
import type { BlockNode, PolicyTree } from '../policy/index.js';
import type { JsonObject } from '../records/index.js';

/** JSON Schemas (2020-12). `{"$ref": "<IRI>"}` stands for the fields of a schema of the policy. */
export interface BlockShapes {
  /** What may be sent. Default: what `input` says. */
  readonly takes?: JsonObject;
  /** What is read. Default: any object. */
  readonly shows?: JsonObject;
}

/** The block with the policy around it. */
export interface BlockPlace {
  readonly block: BlockNode;
  readonly policy: Pick<PolicyTree, 'roles' | 'groups'>;
}
