import { systemClock } from '@blockwork/core';
import { MemoryCluster } from '@blockwork/testing';
import { policyStoreConformance } from '@blockwork/testing/conformance';

policyStoreConformance('MemoryCluster', {
  open: async () => new MemoryCluster(systemClock).connect(),
  isCoordinated: true,
  takesChains: true,
  hasLocks: true,
  takesHostWork: true,
});
