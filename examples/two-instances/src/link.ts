/** Connects the two instances over NATS if a server is running, otherwise within one process. */
import { isBlockworkError } from '@blockwork/core';
import type { Link } from '@blockwork/core';
import { openNatsLink } from '@blockwork/link-nats';

const servers = process.env['BLOCKWORK_NATS'] ?? '127.0.0.1:4222';

/** `undefined` if no server responds. */
export async function natsLink(stream: string): Promise<Link | undefined> {
  try {
    return await openNatsLink({ servers, stream, connection: { timeout: 1000 }, keepMs: 60_000 });
  } catch (error) {
    if (isBlockworkError(error, 'LINK_UNAVAILABLE')) return undefined;
    throw error;
  }
}
