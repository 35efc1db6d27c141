/** The cache of server data: entries stay fresh until an event or a send invalidates them. */
import { QueryClient } from '@tanstack/react-query';
import { BlockworkApiError } from '@blockwork/client';
import { LiveStore } from '../live/live-store.js';
import { onSwitch } from '../session/people.js';

export const liveStore = new LiveStore();

/** Poll interval in milliseconds while the event stream is down. */
const OFFLINE_POLL_MS = 4000;
/**
 * Poll interval in milliseconds for data without events: new policies, and requests between instances. Hidden tabs do
 * not poll.
 */
export const POLL_MS = 15_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      refetchInterval: () => (liveStore.isOffline ? OFFLINE_POLL_MS : false),
      // The API client already retries what may succeed; only network errors are retried here.
      retry: (failures, error) => failures < 2 && error instanceof BlockworkApiError && error.status === 0,
    },
  },
});

// The interval is re-evaluated after each fetch, so polling starts only with a fetch.
let wasOffline = false;
liveStore.subscribe(() => {
  if (liveStore.isOffline && !wasOffline) void queryClient.invalidateQueries();
  wasOffline = liveStore.isOffline;
});

// One person's data must not be visible to another.
onSwitch(() => {
  queryClient.clear();
  liveStore.clear();
});
