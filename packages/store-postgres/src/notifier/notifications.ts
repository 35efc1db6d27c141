/**
 * Detects whether a server delivers notifications: some compatible ones reject `LISTEN`, others accept it and deliver
 * nothing.
 */
import type { Client } from 'pg';
import { sqlState } from '../connection/failures.js';

/** feature_not_supported, syntax_error, undefined_function */
const unknownStatement = ['0A000', '42601', '42883'];

/** Probes on one connection: its own notification must arrive before the answer to the next statement. */
export async function deliversNotifications(client: Client, channel: string): Promise<boolean> {
  let hasArrived = false;
  const onNotification = (message: { readonly channel: string }): void => {
    hasArrived ||= message.channel === channel;
  };
  client.on('notification', onNotification);
  try {
    await Promise.all([
      client.query(`listen "${channel}"`),
      client.query('select pg_notify($1, $2)', [channel, '']),
      client.query(`unlisten "${channel}"`),
    ]);
    return hasArrived;
  } catch (error) {
    if (unknownStatement.includes(sqlState(error) ?? '')) return false;
    throw error;
  } finally {
    client.off('notification', onNotification);
  }
}
