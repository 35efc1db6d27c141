/** Removes what a test has put on the server. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

export async function removeStream(servers: string, stream: string): Promise<void> {
  const connection = await connect({ servers });
  try {
    await (await jetstreamManager(connection)).streams.delete(stream);
  } finally {
    await connection.close();
  }
}
