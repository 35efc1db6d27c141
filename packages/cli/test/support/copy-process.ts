/** Copies a store as a process that can be killed: tells its parent how far it is, and waits to be told to go on. */
import { once } from 'node:events';
import { copyStore, type CopyProgress } from '../../src/store/copy/copy-store.js';
import { placeOf } from '../../src/store/copy/store-place.js';

const [from = '', to = ''] = process.argv.slice(2);
const report = (progress: CopyProgress): void => void process.send?.(progress);
await copyStore(placeOf(from, process.env, '<from>'), placeOf(to, process.env, '<to>'), report);
process.send?.('ended');
await once(process, 'disconnect');
