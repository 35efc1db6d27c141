/** The server's address and settings, and an API client for each person. */
import { createClient, type Client } from '@blockwork/client';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { takeEarly } from '../policies/early-list.js';
import { refuseToken, usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Loading } from '../ui/loading.js';
import { loadSettings, serverUrl, settingsNow, type Provider, type Settings } from './settings.js';

interface Server extends Settings {
  readonly url: string;
}

const ServerContext = createContext<Server | null>(null);

const loadServer = async (): Promise<Server> => ({ url: serverUrl(), ...(await loadSettings()) });

/** The server if its settings are loaded already, so that no loading state is rendered. */
const serverNow = (): Server | null => {
  const settings = settingsNow();
  return settings === undefined ? null : { url: serverUrl(), ...settings };
};

export function ServerProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [server, setServer] = useState<Server | null>(serverNow);
  const [error, setError] = useState<Error | null>(null);
  const load = (): void => {
    setError(null);
    loadServer().then(setServer, () => {
      setError(new Error(texts.noServer));
    });
  };
  useEffect(() => {
    if (serverNow() === null) load();
  }, []);
  if (error !== null) return <Failure error={error} onRetry={load} />;
  if (server === null) return <Loading isPadded />;
  return <ServerContext.Provider value={server}>{children}</ServerContext.Provider>;
}

/** The identity provider; if `undefined`, users paste a token. */
export const useProvider = (): Provider | undefined => useContext(ServerContext)?.provider;

/** The base URL of the server, without a trailing slash. */
export const useServerUrl = (): string => useContext(ServerContext)?.url ?? '';

/** DID of the trial user in whose name the components below send their requests. */
export const ActAsContext = createContext<string | undefined>(undefined);

/** The client of the active person. Only used below the shell, which shows the sign-in without one. */
export function useClient(): Client {
  const server = useContext(ServerContext);
  const { active } = usePeople();
  const token = active?.token;
  const actAs = useContext(ActAsContext);
  return useMemo(() => {
    if (server === null || token === undefined) throw new Error('There is no server or no person yet.');
    return clientOf(server, token, actAs);
  }, [server, token, actAs]);
}

const clientOf = ({ url, prefix }: Server, token: string, actAs?: string): Client =>
  createClient({ url, prefix, token, fetch: recordingRejection(token), ...(actAs !== undefined && { actAs }) });

/** For requests before the first render; `null` until the server's settings are loaded. */
export function earlyClient(token: string): Client | null {
  const server = serverNow();
  return server === null ? null : clientOf(server, token);
}

/** A `fetch` that records rejected tokens, because a screen with cached data would not show the error. */
const recordingRejection =
  (token: string) =>
  async (request: Request): Promise<Response> => {
    const answer = await (takeEarly(request) ?? fetch(request));
    if (answer.status === 401) {
      // The response may come from a proxy and need not be JSON.
      const { message = '' } = (await answer
        .clone()
        .json()
        .catch(() => ({}))) as { readonly message?: string };
      refuseToken(token, message);
    }
    return answer;
  };
