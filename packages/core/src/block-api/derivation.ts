/** Derivations: how the fields of a calculated document come about, worked out again by the block that may have made it. */
import type { Json } from '../records/index.js';

/** One step, in the order in which they are worked out: a later variable takes the place of an earlier one of the same name. */
export interface DerivedVariable {
  readonly name: string;
  /** Tag of the block that gives it its value. */
  readonly by: string;
  /** `null` where it has none. */
  readonly value: Json;
  /** Documents that it is taken from, by id, and where in them; absent for what a formula gives. */
  readonly from?: { readonly documentIds: readonly string[]; readonly path: string };
  readonly formula?: string;
  /** The variables that the formula uses. */
  readonly uses?: readonly string[];
}

export interface DerivedField {
  /** Into the subject of the document. */
  readonly path: string;
  /** Name of the variable that it has its value from. */
  readonly variable: string;
  /** As it is worked out now; `null` for none. */
  readonly value: Json;
  /** What the document has there; `null` for nothing. */
  readonly found: Json;
}

export interface Derivation {
  /** Ids of the documents that it is made from, as far as the policy has them. */
  readonly sources: readonly string[];
  readonly variables: readonly DerivedVariable[];
  readonly fields: readonly DerivedField[];
  /** JavaScript that has the last word on every field; it is not run again. */
  readonly script?: string;
}
