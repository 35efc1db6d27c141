import { MemoryStore } from '@blockwork/core';
import { policyStoreConformance } from '../src/policy-store-conformance.js';
import { FaultyStore } from '../src/index.js';

policyStoreConformance('FaultyStore without a fault', {
  open: () => Promise.resolve(new FaultyStore(new MemoryStore())),
  takesChains: true,
});
