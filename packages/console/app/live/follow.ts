/** Follows the events of one policy, or of all, while the tab is visible, and resumes after the last event received. */
import { BlockworkApiError, type Client } from '@blockwork/client';
import type { LiveStore } from './live-store.js';
import type { Refresher } from './refresher.js';

/** Returns a function that stops following. */
export function follow(client: Client, policyId: string | null, live: LiveStore, refresher: Refresher): () => void {
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
