import { MemoryStore } from '@blockwork/core';
import { policyStoreConformance } from '../src/policy-store-conformance.js';

policyStoreConformance('MemoryStore', { open: async () => new MemoryStore(), takesChains: true });
