/** The types of all packages whose methods are tested. Building them takes seconds, so it happens once for all of these tests. */
import { PublicTypes } from './public-types.js';

const stores = ['store-lowdb', 'store-postgres'];
const transports = ['client', 'client/nodes', 'http-fetch', 'http-koa', 'ledger-hedera', 'link-nats'];

export const types = new PublicTypes([
  ...['core', 'core/block', 'blocks', 'explorer', 'otel', 'sandbox', 'testing'],
  ...stores,
  ...transports,
]);
