/** Where the program of a script thread is. A file of its own, so that a bundler or a test run can put another one in its place. */
export const workerFile = new URL('./script-worker.js', import.meta.url);
