/** Selections: which documents a grid shows a user, from which sources and in what order. */
import { allOf, type Condition, type DocumentRecord, type Order } from '../records/index.js';

export interface Selection {
  /** In order of precedence: a document that matches several sources belongs to the first. */
  readonly sources: readonly DocumentSource[];
  /** One order for all documents. Default: source by source, each in its own order. */
  readonly order?: Order;
}

export interface DocumentSource {
  /** Tag of the source block. */
  readonly tag: string;
  readonly where: Condition;
  readonly order?: Order;
}

/** A stored document and its source. */
export interface DocumentRow extends DocumentRecord {
  /** Tag of the source block. */
  __sourceTag__: string;
}

/** `page` counts from 0. */
export interface Page {
  readonly page: number;
  readonly itemsPerPage: number;
}

/** The selection, with an additional condition on every source. */
export const narrowed = (selection: Selection, condition: Condition): Selection => ({
  ...selection,
  sources: selection.sources.map((source) => ({ ...source, where: allOf(source.where, condition) })),
});
