/** A policy file as it is uploaded. */
import type { PublicationSource } from '@blockwork/core';
import { strToU8, zipSync } from 'fflate';
import { trialPolicy } from './trial-policy.js';

export const policyArchive = (policy: object = trialPolicy): Uint8Array =>
  zipSync({ 'policy.json': strToU8(JSON.stringify(policy)) });

/** The message under which the archive was published. */
export const publishedId = '1706823227.586179534';

/** What engines of tests read from a ledger. */
export const publications: PublicationSource = {
  read: (messageId) =>
    Promise.resolve(
      messageId === publishedId ? { kind: 'policy', name: 'Published', file: policyArchive() } : undefined,
    ),
};
