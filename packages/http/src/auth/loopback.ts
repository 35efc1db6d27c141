/** Names of this machine that no other machine can have. */
import { isIPv4 } from 'node:net';

/** `name`: as it stands in a URL, so that IPv6 addresses are in brackets. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
