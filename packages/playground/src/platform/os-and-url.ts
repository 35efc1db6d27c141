/** `node:os` and `node:url` for a page. */

export const availableParallelism = (): number => navigator.hardwareConcurrency;

/** Threads of a page have no priorities. */
export const platform = (): string => 'browser';
export const constants = { priority: { PRIORITY_LOW: 0 } };
export const getPriority = (): number => 0;
export const setPriority = (): void => undefined;

/** Programs of threads are named by their address. */
export const fileURLToPath = (url: URL): string => url.href;
