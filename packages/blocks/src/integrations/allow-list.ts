/** The addresses that policies may call. */
import { isPrivate, isAddress } from './private-address.js';

export interface AllowList {
  /** The reason why the address must not be called; `null` if it may be. */
  refusal(url: URL): string | null;
  /** Whether the host may resolve to an address in a private network or on this machine. */
  mayBePrivate(hostname: string): boolean;
}

/**
 * @param allow valid addresses such as `https://api.example.org/v1`, which allow this origin with this path and those below.
 * @param privateHosts host names in `allow` that may resolve to private addresses. `localhost` and private IP addresses in
 *   `allow` need no entry here.
 */
export function allowList(allow: readonly string[], privateHosts: readonly string[]): AllowList {
  const entries = allow.map((address) => new URL(address));
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

/** Whether it is an address that policies can be allowed to call. */
export function isAllowable(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** `/v1` covers `/v1` and `/v1/x`, but not `/v10`. */
function covers(entry: URL, url: URL): boolean {
  if (entry.origin !== url.origin) return false;
  const below = entry.pathname.endsWith('/') ? entry.pathname : `${entry.pathname}/`;
  return url.pathname === entry.pathname || url.pathname.startsWith(below);
}
