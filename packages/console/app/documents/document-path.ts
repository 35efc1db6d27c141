/** Where the page of a document is. */

export const pathOf = (policyId: string, documentId: string): string =>
  `/policies/${encodeURIComponent(policyId)}/documents/${encodeURIComponent(documentId)}`;
