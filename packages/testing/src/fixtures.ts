/** Fixtures: documents, a grid that shows them, and blocks. */
import type { DocumentInput } from '@blockwork/core';
import { demandOptions } from '@blockwork/core/adapter';
import type { BlockFragment } from './bench-setup.js';

/** The owner of the policy, and the default owner of documents. */
export const BENCH_OWNER = 'did:bench:owner';

/**
 * `count` credentials, created a minute apart, with `document.credentialSubject.0.number` counting from 0. `more` overrides
 * members.
 */
export const documents = (count: number, more: (at: number) => Partial<DocumentInput> = () => ({})): DocumentInput[] =>
  Array.from({ length: count }, (_, at) => ({
    owner: BENCH_OWNER,
    type: 'report',
    createDate: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
    document: {
      id: `urn:uuid:00000000-0000-4000-9000-${at.toString(16).padStart(12, '0')}`,
      type: ['VerifiableCredential'],
      credentialSubject: [{ number: at }],
    },
    ...more(at),
  }));

/** A grid that shows all credentials of the policy; `options` are members of the grid block. */
export const gridWith = (
  shown: readonly DocumentInput[],
  options: Readonly<Record<string, unknown>> = {},
): BlockFragment => {
  demandOptions(options, 'gridWith', 'options');
  return {
    blockType: 'interfaceDocumentsSourceBlock',
    tag: 'grid',
    ...options,
    children: [
      { blockType: 'documentsSourceAddon', tag: 'source', dataType: 'vc-documents' },
      ...((options['children'] as BlockFragment[] | undefined) ?? []),
    ],
    documents: shown,
  };
};

/** A block as written in a policy, active and open to every role; `more` overrides members. */
export const block = (blockType: string, tag: string, more: Readonly<Record<string, unknown>> = {}): BlockFragment => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  children: [],
  ...more,
});
