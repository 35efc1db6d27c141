/** Shows the state of the event stream; also follows the events of the open policy, or of all. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { useRoute } from 'wouter';
import { liveStore } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { follow } from './follow.js';
import type { Live } from './live-store.js';
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
