/** A program that opens the store at an address, increments the counter, and prints the number of attempts. */
import { openPostgresStore } from '../../src/index.js';
import { addOne } from './counter.js';

const [address = '', additions = '0'] = process.argv.slice(2);

const store = await openPostgresStore({ address, patienceMs: 60_000 });
let attempts = 0;
for (let n = 0; n < Number(additions); n += 1) attempts += await addOne(store, String(process.pid));
await store.close();
process.stdout.write(JSON.stringify({ attempts }));
