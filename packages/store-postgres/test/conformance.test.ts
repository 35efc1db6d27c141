import { policyStoreConformance } from '@blockwork/testing/conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase, empty } from '../../../test/support/postgres/database.js';
import { hostile, Proxy } from '../../../test/support/postgres/proxy.js';
import { isThorough } from '../../../test/support/repetitions.js';

const seed = 20_260_314;

await describeWithDatabase('PostgreSQL', (database) => {
  // Connections that break ask for everything that good ones do.
  if (isThorough) {
    policyStoreConformance('PostgresStore', {
      isCoordinated: true,
      takesChains: true,
      hasSnapshots: true,
      hasLocks: true,
      takesHostWork: true,
      hasHistory: true,
      open: async () => {
        await empty(database);
        return openPostgresStore({ address: database.address(), readConnections: 2 });
      },
      reopen: () => openPostgresStore({ address: database.address(), readConnections: 2 }),
    });
  }

  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await Proxy.open(database.address(), hostile(seed));
  });
  afterAll(() => proxy.close());
  const open = (): Promise<PostgresStore> =>
    openPostgresStore({ address: database.address({ host: proxy.host }), patienceMs: 60_000, readConnections: 2 });

  policyStoreConformance(`PostgresStore over connections that break (seed ${seed})`, {
    isCoordinated: true,
    takesChains: true,
    hasSnapshots: true,
    hasLocks: true,
    takesHostWork: true,
    hasHistory: true,
    open: async () => {
      await empty(database);
      return open();
    },
    reopen: open,
  });

  it('passed with broken connections throughout', () => {
    expect(proxy.cuts).toBeGreaterThan(50);
  });
});
