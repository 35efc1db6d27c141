/** Imports what is named, and prints how many files with code Node opened for it. */
import { createRequire, register } from 'node:module';

// Node asks for a module's text in another thread, so the count is in memory that both see.
const count = new Int32Array(new SharedArrayBuffer(4));
const hooks = `let count;
  export const initialize = (given) => { count = given; };
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (loaded.format === 'module') Atomics.add(count, 0, 1);
    return loaded;
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: count });
await import(process.argv[2]);
console.log(Atomics.load(count, 0) + Object.keys(createRequire(import.meta.url).cache).length);
