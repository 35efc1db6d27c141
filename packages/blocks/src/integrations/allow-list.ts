/** Which addresses policies may call: none that the program did not name. */
import { BlockworkError } from '@blockwork/core';
import { isPrivate, isAddress } from './private-address.js';

export interface AllowList {
  /** Why the address may not be called; `null` where it may. */
  refusal(url: URL): string | null;
  /** Whether the host may stand for an address in a private network, or on this machine. */
  mayBePrivate(hostname: string): boolean;
}

/**
 * @param allow addresses such as `https://api.example.org/v1`: same scheme, host and port, and a path below.
 * @param privateHosts names of the list that lead into a private network. An address or `localhost` in the list itself
 *   says so already.
 */
export function allowList(allow: readonly string[], privateHosts: readonly string[]): AllowList {
  const entries = allow.map(entryOf);
  const hosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  for (const { hostname } of entries) {
    if (hostname === 'localhost' || (isAddress(hostname) && isPrivate(hostname))) hosts.add(hostname);
  }
  return {
    refusal: (url) => {
      if (entries.length === 0) return 'no address is allowed here';
      if (url.username !== '' || url.password !== '') return 'an address must not carry credentials';
      return entries.some((entry) => covers(entry, url)) ? null : 'it is not in the list of allowed addresses';
    },
    mayBePrivate: (hostname) => hosts.has(hostname.toLowerCase()),
  };
}

function entryOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    const reason = `"${text}" is no address such as https://api.example.org/v1`;
    throw new BlockworkError('OPTION_INVALID', { facts: { option: 'allow', reason } });
  }
  return url;
}

/** `/v1` covers `/v1` and `/v1/x`, but not `/v10`. */
function covers(entry: URL, url: URL): boolean {
  if (entry.origin !== url.origin) return false;
  const below = entry.pathname.endsWith('/') ? entry.pathname : `${entry.pathname}/`;
  return url.pathname === entry.pathname || url.pathname.startsWith(below);
}
