/** The block kit: helpers for block types, in addition to the contract itself. */
export { documentRow } from './document-row.js';
export { documentsIn, shapedLike } from './event-documents.js';
export { columnsOpening, type GridColumn, gridColumns } from './grid-columns.js';
export { heading } from './heading.js';
export * as tolerant from './option-schemas.js';
export { passOn } from './pass-on.js';
export { publishIdentity } from './publish-identity.js';
export { offeredRow, pastRow, rowShownBy, type WantedDocument } from './shown-rows.js';
