/** How often the state of the server is asked for; a hidden tab does not ask. */
export const LOOK_OFTEN = { refetchInterval: 4000, retry: false } as const;
