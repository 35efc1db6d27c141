/** A policy file as it is uploaded. */
import type { PublicationSource, PublishedFile } from '@blockwork/core';
import { strToU8, zipSync } from 'fflate';
import { trialPolicy } from './trial-policy.js';

export const policyArchive = (policy: object = trialPolicy): Uint8Array =>
  zipSync({ 'policy.json': strToU8(JSON.stringify(policy)) });

/** The message under which the archive was published. */
export const publishedId = '1706823227.586179534';

/** The message under which a schema was published. */
export const publishedSchemaId = '1706823227.586179535';

/** As a ledger's adapter gives it. */
const publishedSchema = {
  ...{ iri: '#c0ffee00-0000-4000-8000-000000000001&1.0.0', name: 'Well', entity: 'VC', status: 'PUBLISHED' },
  document: {
    $id: '#c0ffee00-0000-4000-8000-000000000001&1.0.0',
    type: 'object',
    properties: { depth: { title: 'Depth', description: 'Depth', type: 'number', readOnly: false } },
  },
  context: { '@context': {} },
};

const published: ReadonlyMap<string, PublishedFile> = new Map([
  [publishedId, { kind: 'policy', name: 'Published', file: policyArchive() }],
  [publishedSchemaId, { kind: 'schema', name: 'Well', file: strToU8(JSON.stringify(publishedSchema)) }],
]);

/** What engines of tests read from a ledger. */
export const publications: PublicationSource = { read: (messageId) => Promise.resolve(published.get(messageId)) };
