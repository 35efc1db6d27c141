/** The program of the watchdog's thread. A separate file, so that a bundler can substitute another file. */
export const program = new URL('./watchdog-thread.js', import.meta.url);
