/** The key check: reports at the start if the store was filled with other keys than the engine was given. */
import { foreignIdentities } from '../credentials/index.js';
import type { Clock, Keys, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import { Worker, type BackgroundService } from './worker.js';

export interface KeyCheckDeps {
  readonly store: PolicyStore;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** The oldest identities; a seed that matches them matches all. */
const SAMPLE = 50;

export const keyCheck = (deps: KeyCheckDeps): BackgroundService =>
  new Worker({ name: 'key check', backoff: { firstMs: 1_000, longestMs: 60_000 }, run: () => check(deps) }, deps);

async function check({ store, keys, logger }: KeyCheckDeps): Promise<null> {
  const identities = await store.find('identity', INSTANCE, { limit: SAMPLE });
  const foreign = await foreignIdentities(identities, keys);
  if (foreign.length > 0) {
    logger.error(
      'The engine lacks keys that the identities in its store have signed with: they cannot sign, or get new keys. Give it ' +
        'the seed that the store was filled with, for instance from a backup.',
      { checked: identities.length, foreign: foreign.length, first: foreign[0]?.id },
    );
  }
  return null;
}
