/** Opens a link: connects, and creates the stream if it is missing. */
import type { Link } from '@blockwork/core';
import { DiscardPolicy, JetStreamApiError, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { MessageNumbers } from './message-numbers.js';
import { NatsLink } from './nats-link.js';
import { resolveOptions, type NatsLinkOptions, type ResolvedOptions } from './options.js';
import { unavailable } from './unavailable.js';

/** The server's error code for a missing stream. */
const STREAM_UNKNOWN = 10059;

/**
 * The link has its own connection, which reconnects until the link is closed. Rejects with `OPTION_INVALID`, or with
 * `LINK_UNAVAILABLE` if no server answers or JetStream is disabled.
 */
export async function openNatsLink(options: NatsLinkOptions = {}): Promise<Link> {
  const resolved = resolveOptions(options);
  const connection = await connected(resolved);
  try {
    const manager = await jetstreamManager(connection, { timeout: resolved.publishMs });
    const { created } = await streamInfo(manager, resolved);
    return new NatsLink({ connection, manager, numbers: new MessageNumbers(created), options: resolved });
  } catch (error) {
    await connection.close();
    throw unavailable(error);
  }
}

async function connected({ servers, connection }: ResolvedOptions): Promise<NatsConnection> {
  try {
    return await connect({ maxReconnectAttempts: -1, ...connection, servers });
  } catch (error) {
    throw unavailable(error);
  }
}

async function streamInfo(manager: JetStreamManager, options: ResolvedOptions): Promise<StreamInfo> {
  const { stream, keepMs, rememberKeysMs } = options;
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_UNKNOWN) throw error;
  }
  await manager.streams.add({
    name: stream,
    subjects: [`${stream}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(keepMs),
    duplicate_window: nanos(keepMs === 0 ? rememberKeysMs : Math.min(keepMs, rememberKeysMs)),
  });
  // Read back, in case another instance created it first.
  return manager.streams.info(stream);
}
