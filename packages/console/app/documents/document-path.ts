/** The path of a document's screen. */

export const pathOf = (policyId: string, documentId: string): string =>
  `/policies/${encodeURIComponent(policyId)}/documents/${encodeURIComponent(documentId)}`;
