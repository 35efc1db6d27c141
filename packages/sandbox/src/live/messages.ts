/** Messages of the websocket. */
import { z } from 'zod';
import type { RawData } from 'ws';

const message = z.looseObject({ type: z.string(), data: z.unknown().optional() });

/** `ping` is sent as plain text, everything else as JSON. `null` for anything else. */
export function clientMessage(data: RawData): { readonly type: string; readonly data?: unknown } | null {
  const text = textOf(data);
  if (text === 'ping') return { type: 'ping' };
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8');

const ready = ['READY'];

/** The services of the reference, all ready: otherwise the client opens a dialog. */
export const services = {
  LOGGER_SERVICE: ready,
  GUARDIAN_SERVICE: ready,
  AUTH_SERVICE: ready,
  WORKER: ready,
  POLICY_SERVICE: ready,
  NOTIFICATION_SERVICE: ready,
};
