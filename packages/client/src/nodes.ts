/** `@blockwork/client/nodes`: a client of several nodes, which asks for each policy always the same one, as long as it answers. */
import { notSent } from './api-error.js';

/** For how many ms a node that has not answered is asked last. */
const AWAY_MS = 10_000;
const MOST = 100;
/** Statuses of a node that another one may do better than. */
const isAway: ReadonlySet<number> = new Set([502, 503, 504]);

export type Fetch = (request: Request) => Promise<Response>;

/**
 * The `fetch` of a client of several nodes of one instance. A request for a policy goes to the node with the highest hash of its address
 * and the policy's id (rendezvous hashing): each client chooses the same, and only the policies of a node that leaves go elsewhere.
 * Other requests go to any node. One that does not answer, or answers 502, 503 or 504, is asked last for the next 10 seconds, so a
 * retry of the client goes to another.
 *
 * `addresses`: 1 to 100, each like the option `url` of the client; of that option, the first one. `send` sends a request to its address;
 * the global `fetch` by default. Throws `INPUT_INVALID` for what is no such list.
 *
 * @example
 * const nodes = ['https://node1.example', 'https://node2.example'];
 * const client = createClient({ url: nodes[0], token, fetch: acrossNodes(nodes) });
 */
export function acrossNodes(addresses: readonly string[], send: Fetch = (request) => fetch(request)): Fetch {
  const origins = checked(addresses);
  const away = new Set<string>();
  let others = 0;
  const setAway = (origin: string): void => {
    away.add(origin);
    const timer: { unref?: () => void } | number = setTimeout(() => away.delete(origin), AWAY_MS);
    // Node would wait for it before it ends.
    if (typeof timer === 'object') timer.unref?.();
  };
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const key = policyIn(pathname, search) ?? `/${String((others += 1))}`;
    const present = origins.filter((origin) => !away.has(origin));
    const origin = highest(present.length === 0 ? origins : present, key);
    const base = new URL(origin);
    const path = pathname.slice(new URL(origins[0] ?? '').pathname.replace(/\/$/, '').length);
    try {
      const response = await send(new Request(base.origin + base.pathname.replace(/\/$/, '') + path + search, request));
      if (isAway.has(response.status)) setAway(origin);
      return response;
    } catch (error) {
      if (!request.signal.aborted) setAway(origin);
      throw error;
    }
  };
}

/** The policy that a request is about; of a stream of several, the first. */
const policyIn = (pathname: string, search: string): string | undefined =>
  /\/(?:policies|external)\/([^/]+)/.exec(pathname)?.[1] ?? new URLSearchParams(search).get('policy') ?? undefined;

function highest(origins: readonly string[], key: string): string {
  let [chosen, most] = ['', -1];
  for (const origin of origins) {
    const weight = hashOf(`${origin} ${key}`);
    if (weight > most) [chosen, most] = [origin, weight];
  }
  return chosen;
}

/** FNV-1a of 32 bits, mixed once more: similar addresses have similar hashes without. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

function checked(addresses: unknown): readonly string[] {
  const isList = Array.isArray(addresses) && addresses.length > 0 && addresses.length <= MOST;
  // No request can be made with a user or a password in it, and errors show the address.
  const isAddress = (each: unknown): boolean =>
    typeof each === 'string' && /^https?:\/\/[^/?#@]+([/][^?#]*)?$/i.test(each);
  if (!isList || !addresses.every(isAddress)) {
    throw notSent(
      `The argument addresses of acrossNodes must be a list of 1 to ${String(MOST)} addresses such as "https://node1.example", without users or passwords.`,
    );
  }
  return addresses as string[];
}
