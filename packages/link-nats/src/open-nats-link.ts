/** Opens a link: connects now or, if the server cannot be reached, later. */
import type { Link } from '@blockwork/core';
import { Broker } from './broker.js';
import { NatsLink } from './nats-link.js';
import { resolveOptions, type NatsLinkOptions } from './options.js';
import { openSession } from './session.js';

/**
 * The link has its own connection, and creates the stream if it is missing. Resolves even if no server answers: the
 * link then retries until it is closed. Meanwhile, `status()` gives the reason, and publishing and subscribing reject
 * with `LINK_UNAVAILABLE`, which an engine retries. Rejects with `OPTION_INVALID`.
 */
export async function openNatsLink(options: NatsLinkOptions = {}): Promise<Link> {
  const resolved = resolveOptions(options);
  const broker = new Broker(resolved, openSession);
  await broker.start();
  return new NatsLink(broker, resolved);
}
