/** The client that the hooks below it use, their cache, and the live events that keep it fresh. */
import type { Client, PolicyEvent } from '@blockwork/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

interface Scope {
  readonly client: Client;
  readonly person: string;
}

const ScopeContext = createContext<Scope | null>(null);

interface BlockworkProviderProps {
  /** Of `createClient`, with the token of the person who uses the page. */
  readonly client: Client;
  /**
   * Whose data the cache holds, for instance a DID: what one person has read is never shown to another. Default: each client is a
   * person of its own.
   */
  readonly person?: string;
  /** The cache; by default one of its own. */
  readonly queries?: QueryClient;
  /** Whether blocks are read again when a live event says that they may have changed; default `true`. */
  readonly live?: boolean;
  readonly children?: ReactNode;
}

/**
 * Around every component that uses the hooks.
 *
 * @example
 * const client = createClient({ url: 'https://registry.example', token });
 * root.render(
 *   <BlockworkProvider client={client}>
 *     <PolicyPage id="sunlight" />
 *   </BlockworkProvider>,
 * );
 */
export function BlockworkProvider({
  client,
  person,
  queries,
  live = true,
  children,
}: BlockworkProviderProps): ReactNode {
  const [own] = useState(() => queries ?? new QueryClient());
  const cache = queries ?? own;
  const name = person ?? nameOf(client);
  const scope = useMemo(() => ({ client, person: name }), [client, name]);
  useEffect(() => (live ? followed(client, cache) : undefined), [client, cache, live]);
  return (
    <ScopeContext value={scope}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </ScopeContext>
  );
}

/** The client and the person of the provider. Throws an `Error` outside of one. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error('There is no BlockworkProvider around this component: put one around the page.');
  return scope;
}

/**
 * The client of the provider, for what has no hook. Throws an `Error` outside of a `BlockworkProvider`.
 *
 * @example
 * const client = useClient();
 * const save = async () => download(await client.policy('sunlight').export());
 */
export const useClient = (): Client => useScope().client;

const names = new WeakMap<Client, string>();
let count = 0;

function nameOf(client: Client): string {
  const name = names.get(client) ?? `client ${String((count += 1))}`;
  names.set(client, name);
  return name;
}

/** Reads stale queries again with each event, until the returned function is called. */
function followed(client: Client, cache: QueryClient): () => void {
  const ending = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const event of client.events({ signal: ending.signal })) refresh(cache, event);
  };
  // Without events, the page shows what it has read: the hooks report the refusals that matter.
  follow().catch(() => undefined);
  return () => {
    ending.abort();
  };
}

/** After a gap, anything may have changed. */
function refresh(cache: QueryClient, event: PolicyEvent): void {
  if (event.type === 'open') void cache.invalidateQueries();
  else void cache.invalidateQueries({ predicate: ({ queryKey: [, id] }) => id === event.policyId });
}
