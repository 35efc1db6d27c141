/** Where the interface is, and a client of it for each person. */
import { createClient, type Client } from '@blockwork/client';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';

interface Server {
  readonly url: string;
  readonly prefix: string;
}

const ServerContext = createContext<Server | null>(null);

/** The page lies in `console/` below the server, which may itself be below any path. */
const serverUrl = (): string => new URL('..', document.baseURI).href.replace(/\/$/, '');

async function loadServer(): Promise<Server> {
  const answer = await fetch(new URL('settings.json', document.baseURI));
  if (!answer.ok) throw new Error(`The server answered ${String(answer.status)} for settings.json.`);
  const { prefix } = (await answer.json()) as { prefix: string };
  return { url: serverUrl(), prefix };
}

export function ServerProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [server, setServer] = useState<Server | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    loadServer().then(setServer, setError);
  }, []);
  if (error !== null) return <Failure error={error} />;
  if (server === null) return <p className="quiet padded">{texts.loading}</p>;
  return <ServerContext.Provider value={server}>{children}</ServerContext.Provider>;
}

/** The client of the active person. Only used below the shell, which shows the sign-in without one. */
export function useClient(): Client {
  const server = useContext(ServerContext);
  const { active } = usePeople();
  const token = active?.token;
  return useMemo(() => {
    if (server === null || token === undefined) throw new Error('There is no server or no person yet.');
    return createClient({ url: server.url, prefix: server.prefix, token });
  }, [server, token]);
}
