/** Witnesses: checkpoints of logs on the external ledger, which show when a store is not what it was. */
export {
  compareWithWitness,
  type Contradiction,
  newestInBook,
  noteOf,
  sizeOf,
  type WitnessDeps,
  witnessIdOf,
} from './newest-witness.js';
export { WitnessService } from './witness-service.js';
