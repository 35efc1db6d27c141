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

/** What has been loaded by now needs no frame that says that it loads. */
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

/** Where people sign in; `undefined`: they paste a token. */
export const useProvider = (): Provider | undefined => useContext(ServerContext)?.provider;

/** Where the server is, without a slash at the end. */
export const useServerUrl = (): string => useContext(ServerContext)?.url ?? '';

/** The DID of somebody in a trial, as whom what is below sends its requests. */
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
  createClient({ url, prefix, token, fetch: noting(token), ...(actAs !== undefined && { actAs }) });

/** For requests before the page is drawn; `null` while the settings of the server are not there. */
export function earlyClient(token: string): Client | null {
  const server = serverNow();
  return server === null ? null : clientOf(server, token);
}

/** Sends requests, and notes when the server takes the token no more: a screen that was read before would not show it. */
const noting =
  (token: string) =>
  async (request: Request): Promise<Response> => {
    const answer = await (takeEarly(request) ?? fetch(request));
    if (answer.status === 401) {
      // A proxy may have answered, in a form of its own.
      const { message = '' } = (await answer
        .clone()
        .json()
        .catch(() => ({}))) as { readonly message?: string };
      refuseToken(token, message);
    }
    return answer;
  };
