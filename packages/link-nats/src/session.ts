/** Opens a connection to a server with JetStream. */
import { jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { ResolvedOptions } from './options.js';

export interface Session {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
}

/** Rejects if no server answers, or JetStream is disabled. The connection reconnects until it is closed. */
export async function openSession({ servers, connection, publishMs }: ResolvedOptions): Promise<Session> {
  const opened = await connect({ maxReconnectAttempts: -1, timeout: publishMs, ...connection, servers });
  try {
    const manager = await jetstreamManager(opened, { timeout: publishMs });
    return { connection: opened, manager, client: manager.jetstream() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
