/** What the page has read: kept until something is sent, then read again. */
import { QueryClient } from '@tanstack/react-query';
import { BlockworkApiError } from '@blockwork/client';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // What other people do shows up within seconds; a hidden tab does not ask.
      refetchInterval: 4000,
      // The client repeats what may help; refusals stay refusals.
      retry: (failures, error) => failures < 2 && error instanceof BlockworkApiError && error.status === 0,
    },
  },
});
