/** A process of its own that makes the folder of a store with so many records. */
import { fill } from './store-records.mjs';

await fill(process.argv[2], Number(process.argv[3]));
process.send({});
process.disconnect();
