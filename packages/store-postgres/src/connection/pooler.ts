/** Detects a pooler between the store and the server that gives each transaction another session. */
import type { Client } from 'pg';
import { BlockworkError } from '@blockwork/core';

/** How often two connections are compared: a pooler may have several sessions to give. */
const ATTEMPTS = 5;

/** Rejects with `STORE_UNAVAILABLE` if connections do not keep their session. `open`: opens another one. */
export async function assertSessions(client: Client, open: () => Promise<Client>): Promise<void> {
  const first = await backendOf(client);
  // A pooler names other backends to its clients than those that serve them.
  if (first === processIdOf(client)) return;
  const other = await open();
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [otherBackend, backend] = [await backendOf(other), await backendOf(client)];
      if (otherBackend === backend || backend !== first) throw new BlockworkError('STORE_UNAVAILABLE', { facts });
    }
  } finally {
    await other.end();
  }
}

const facts = {
  reason:
    'a pooler gives each transaction another session (as PgBouncer with pool_mode = transaction): let it keep sessions (pool_mode = session), or connect to the server itself',
};

async function backendOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
}

/** Not in the types of the driver. */
const processIdOf = (client: Client): number | null | undefined =>
  (client as { readonly processID?: number | null }).processID;
