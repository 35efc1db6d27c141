/** Checks that a database can hold the store. */
import type { ClientBase } from 'pg';
import { BlockworkError } from '@blockwork/core';

/** Rejects with `STORE_UNAVAILABLE`. */
export async function assertFit(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  const reason = `the database has the encoding ${String(encoding)}; it must be UTF8`;
  throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
}
