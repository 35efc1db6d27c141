/** A store whose process is killed at a commit that is chosen before: by progress, so the pace of the machine decides nothing. */
import type { ChangeSet, PolicyStore } from '@blockwork/core/adapter';

/** The process is killed so many turns of its event loop after its n-th commit began; after the opening of the store for 0. */
export interface Death {
  readonly commit: number;
  readonly turns: number;
}

/** A dying program waits for nothing that could hold its store; collected, the store's open files would be warned of. */
const opened = new Set<PolicyStore>();

/** Opens a store that kills the process; that lives where `death` is null. */
export async function openMortal(open: () => Promise<PolicyStore>, death: Death | null): Promise<PolicyStore> {
  if (death === null) return open();
  if (death.commit === 0) void die(death.turns);
  const store = await open();
  opened.add(store);
  let commits = 0;
  return {
    capabilities: store.capabilities,
    revision: (key) => store.revision(key),
    get: (kind, partition, id) => store.get(kind, partition, id),
    find: (kind, partition, query) => store.find(kind, partition, query),
    count: (kind, partition, where) => store.count(kind, partition, where),
    commit: (changeSet: ChangeSet) => {
      commits += 1;
      // A dying process gets no further, so that it cannot end by itself first.
      if (commits > death.commit) return new Promise<never>(() => undefined);
      if (commits === death.commit) void die(death.turns);
      return store.commit(changeSet);
    },
    close: () => store.close(),
  };
}

async function die(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  process.kill(process.pid, 'SIGKILL');
}
