/** Imports every entry point that is named, then requires it, and prints the names that each exports, as JSON. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const globals = new Set(Object.getOwnPropertyNames(globalThis));
const exported = {};
for (const entry of process.argv.slice(2)) {
  const namespace = await import(entry);
  exported[entry] = Object.keys(namespace);
  const required = require(entry);
  const copies = Object.keys(namespace).filter((name) => namespace[name] !== required[name]);
  if (copies.length > 0) throw new Error(`${entry} exists twice, for import and for require(): ${copies.join(', ')}`);
}
// zod shares its registry and its settings between copies of itself.
const isAdded = (name) => !globals.has(name) && !name.startsWith('__zod_');
const added = Object.getOwnPropertyNames(globalThis).filter(isAdded);
if (added.length > 0) throw new Error(`Importing the packages adds to globalThis: ${added.join(', ')}`);
console.log(JSON.stringify(exported));
