import { MemoryLink, MemoryLinkHub } from '@blockwork/core';
import { linkConformance } from '@blockwork/testing/conformance';

linkConformance('MemoryLink', {
  open: () => {
    const hub = new MemoryLinkHub();
    return Promise.resolve({
      connect: () => Promise.resolve(new MemoryLink({ hub, retryMs: [1, 5] })),
      wipe: async () => hub.wipe(),
    });
  },
});
