import { policyStoreConformance } from '@blockwork/testing/conformance';
import { openLowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { isThorough } from '../../../test/support/repetitions.js';

const newFolder = temporaryFolders();

const variants: Readonly<Record<string, Omit<LowdbStoreOptions, 'folder'>>> = {
  LowdbStore: {},
  'LowdbStore with frequent checkpoints': { checkpointBytes: 2000, segmentBytes: 500 },
  // Apart from flushing, which power cuts show, they do what the others do.
  ...(isThorough ? { 'LowdbStore that does not flush': { durability: 'os' } } : {}),
};

for (const [name, options] of Object.entries(variants)) {
  let folder = '';
  policyStoreConformance(name, {
    takesChains: true,
    open: async () => {
      folder = await newFolder();
      return openLowdbStore({ folder, ...options });
    },
    reopen: () => openLowdbStore({ folder, ...options }),
  });
}

if (isThorough) {
  policyStoreConformance('LowdbStore that acknowledges at once', {
    takesChains: true,
    open: async () => openLowdbStore({ folder: await newFolder(), durability: 'none', checkpointBytes: 2000 }),
  });
}
