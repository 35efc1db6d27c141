/** Query options for polling the state of the server; hidden tabs do not poll. */
export const POLL_OPTIONS = { refetchInterval: 4000, retry: false } as const;
