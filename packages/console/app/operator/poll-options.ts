/** How the operator screen asks for the state of the server, again and again. */
import { BlockworkApiError } from '@blockwork/client';

/** Query options for polling the state of the server; hidden tabs do not poll. */
export const POLL_OPTIONS = {
  // Asking again does not give anybody a permission.
  refetchInterval: ({ state }: { readonly state: { readonly error: Error | null } }) =>
    isDenied(state.error) ? false : 4000,
  retry: false,
} as const;

export const isDenied = (error: Error | null): boolean =>
  error instanceof BlockworkApiError && error.error === 'PERMISSION_DENIED';
