/** Names of this machine that no other machine can have, and requests that use no other. */
import { isIPv4 } from 'node:net';

/** `name`: as it stands in a URL, so that IPv6 addresses are in brackets. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));

/** The headers of a request, by name in lower case. */
type HeaderOf = (name: string) => string | undefined;

/**
 * Whether a request comes from this machine's own programs and pages. A page of another site could reach a server here
 * by a name of its own that leads to this machine (DNS rebinding), or send requests across origins; browsers tell both,
 * in `Host` and in `Origin`.
 */
export function isFromThisMachine(header: HeaderOf): boolean {
  const host = (header('host') ?? '').replace(/:\d+$/, '');
  const origin = header('origin');
  return isLoopbackName(host) && (origin === undefined || isLoopbackName(hostOf(origin)));
}

/** An empty text for `null`, which sandboxed frames and files send. */
const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : '');
