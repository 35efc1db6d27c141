/** Selections: which documents a grid shows a user, from which source each comes, and in what order. */
import { allOf, type Condition, type DocumentRecord, type Order } from '../records/index.js';

export interface Selection {
  /** In the order of precedence: a document that several sources match belongs to the first. */
  readonly sources: readonly DocumentSource[];
  /** One order for all; without it, source after source, each in its own order. */
  readonly order?: Order;
}

export interface DocumentSource {
  /** Tag of the block that supplies it. */
  readonly tag: string;
  readonly where: Condition;
  readonly order?: Order;
}

/** A stored document, and where it came from. */
export interface DocumentRow extends DocumentRecord {
  /** Tag of the source block. */
  __sourceTag__: string;
}

/** `page` counts from 0. */
export interface Page {
  readonly page: number;
  readonly itemsPerPage: number;
}

/** The selection with a further condition on every source. */
export const narrowed = (selection: Selection, condition: Condition): Selection => ({
  ...selection,
  sources: selection.sources.map((source) => ({ ...source, where: allOf(source.where, condition) })),
});
