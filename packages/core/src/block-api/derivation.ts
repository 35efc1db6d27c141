/** Derivations: how the fields of a calculated document are computed, recomputed by the block that created it. */
import type { Json } from '../records/index.js';

/** One step, in evaluation order; a later variable shadows an earlier one of the same name. */
export interface DerivedVariable {
  readonly name: string;
  /** Tag of the block that assigns it. */
  readonly by: string;
  /** `null` if it has no value. */
  readonly value: Json;
  /** Ids of the documents the value is taken from, and the path in them; absent for formula results. */
  readonly from?: { readonly documentIds: readonly string[]; readonly path: string };
  readonly formula?: string;
  /** Variables the formula uses. */
  readonly uses?: readonly string[];
}

export interface DerivedField {
  /** Path in the document's subject. */
  readonly path: string;
  /** Name of the variable that supplies the value. */
  readonly variable: string;
  /** The recomputed value; `null` if there is none. */
  readonly value: Json;
  /** The value stored in the document; `null` if there is none. */
  readonly found: Json;
}

export interface Derivation {
  /** Ids of the documents it is derived from, as far as the policy stores them. */
  readonly sources: readonly string[];
  readonly variables: readonly DerivedVariable[];
  readonly fields: readonly DerivedField[];
  /** JavaScript that may overwrite any field. It is not re-run. */
  readonly script?: string;
}
