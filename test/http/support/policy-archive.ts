/** A policy file as it is uploaded. */
import { strToU8, zipSync } from 'fflate';
import { trialPolicy } from './trial-policy.js';

export const policyArchive = (policy: object = trialPolicy): Uint8Array =>
  zipSync({ 'policy.json': strToU8(JSON.stringify(policy)) });
