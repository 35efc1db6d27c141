/** Where a send block sends to: newer policies write `dataSource`, older ones `dataType`, and some both. */
import type { DocumentCollection } from '@blockwork/core/block';

export type Destination =
  | { readonly to: 'store'; readonly collection: 'approve' | 'by kind' }
  | { readonly to: 'ledger' }
  /** To the ledger, unless it is there already, and then to the store. */
  | { readonly to: 'both' };

/** `dataType` wins where it is set; empty text is not set. `undefined` for a word that means nothing. */
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
