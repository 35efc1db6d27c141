/** The cache of server data: entries stay fresh until an event or a send invalidates them. */
import { QueryClient } from '@tanstack/react-query';
import { BlockworkApiError } from '@blockwork/client';
import { LiveStore } from '../live/live-store.js';
import { onSwitch } from '../session/people.js';

export const liveStore = new LiveStore();

/** Milliseconds between reads while nobody tells the page what moves. */
const UNTOLD_MS = 4000;
/** For what no event tells: new policies, and requests between instances. A hidden tab does not ask. */
export const NEVER_TOLD_MS = 15_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      refetchInterval: () => (liveStore.isBlind ? UNTOLD_MS : false),
      // The client repeats what may help; refusals stay refusals.
      retry: (failures, error) => failures < 2 && error instanceof BlockworkApiError && error.status === 0,
    },
  },
});

// Intervals are looked at with the next read: the first one begins them.
let wasBlind = false;
liveStore.subscribe(() => {
  if (liveStore.isBlind && !wasBlind) void queryClient.invalidateQueries();
  wasBlind = liveStore.isBlind;
});

// What one person was shown is not for the next.
onSwitch(() => {
  queryClient.clear();
  liveStore.clear();
});
