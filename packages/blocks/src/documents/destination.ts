/** The destination of a send block: newer policies write `dataSource`, older ones `dataType`, some both. */
import type { DocumentCollection } from '@blockwork/core/block';

export type Destination =
  | { readonly to: 'store'; readonly collection: 'approve' | 'by kind' }
  | { readonly to: 'ledger' }
  /** To the ledger, unless already published, then to the store. */
  | { readonly to: 'both' };

/** All that `destinationOf` knows. */
export const destinations = ['database', 'hedera', 'auto', 'approve', 'vc-documents', 'vp-documents', 'did-documents'];

/** A non-empty `dataType` takes precedence. `undefined` for an unknown word. */
export function destinationOf({
  dataType,
  dataSource,
}: Record<'dataType' | 'dataSource', string>): Destination | undefined {
  switch (dataType || dataSource) {
    case 'hedera':
      return { to: 'ledger' };
    case 'auto':
      return { to: 'both' };
    case 'approve':
      return { to: 'store', collection: 'approve' };
    case 'vc-documents':
    case 'vp-documents':
    case 'did-documents':
    case 'database':
      return { to: 'store', collection: 'by kind' };
    default:
      return undefined;
  }
}

export const collections = {
  vc: 'vc-documents',
  vp: 'vp-documents',
  did: 'did-documents',
} as const satisfies Record<string, DocumentCollection>;
