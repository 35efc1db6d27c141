/** Shows the state of the event stream; also follows the events of the open policy, or of all. */
import { BlockworkApiError, type Client } from '@blockwork/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useRoute } from 'wouter';
import { liveStore } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import type { Live, LiveStore } from './live-store.js';
import { Refresher } from './refresher.js';

export const useLive = (): Live => useSyncExternalStore(liveStore.subscribe, liveStore.current);

export function LiveMark(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [isOpen, params] = useRoute('/policies/:id/*?');
  const policyId = isOpen ? decodeURIComponent(params.id) : null;
  const { connection, reason } = useLive();
  useEffect(() => {
    liveStore.connect('connecting');
    return follow(client, policyId, liveStore, new Refresher(queries));
  }, [client, policyId, queries]);
  return (
    <span className={`live-mark ${connection}`} role="status" title={reason === '' ? undefined : reason}>
      <span className="dot" aria-hidden="true" />
      <span className="words">{texts.live[connection]}</span>
    </span>
  );
}

/** Returns a function that stops following. */
function follow(client: Client, policyId: string | null, live: LiveStore, refresher: Refresher): () => void {
  let after: string | undefined;
  let stop = new AbortController();
  const listen = async (signal: AbortSignal): Promise<void> => {
    const onConnection = (state: 'open' | 'lost'): void => {
      if (signal.aborted) return;
      live.connect(state === 'open' ? 'live' : 'lost');
      if (state === 'open') refresher.recover();
    };
    const options = { signal, onConnection, ...(after === undefined ? {} : { after }) };
    const events = policyId === null ? client.events(options) : client.policy(policyId).events(options);
    try {
      for await (const event of events) {
        after = event.id;
        live.receive(event);
        refresher.note(event);
      }
    } catch (error) {
      if (!signal.aborted) live.connect(isSignedOut(error) ? 'ended' : 'refused', reasonOf(error));
    }
  };
  // Hidden tabs disconnect: over HTTP/1.1, browsers allow six connections per server across all tabs.
  const start = (): void => {
    stop.abort();
    stop = new AbortController();
    if (document.hidden) live.connect('paused');
    else void listen(stop.signal);
  };
  document.addEventListener('visibilitychange', start);
  window.addEventListener('online', start);
  start();
  return () => {
    stop.abort();
    document.removeEventListener('visibilitychange', start);
    window.removeEventListener('online', start);
  };
}

const isSignedOut = (error: unknown): boolean => error instanceof BlockworkApiError && error.status === 401;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
