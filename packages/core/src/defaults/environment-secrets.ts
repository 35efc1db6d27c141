/** Secrets from the environment of the process. */
import type { Secrets } from '../ports/index.js';

/** Policies must not read other variables, whatever name they ask for. */
const PREFIX = 'BLOCKWORK_SECRET_';

/** `{{secret:PRICES}}` reads the variable `BLOCKWORK_SECRET_PRICES`, for every policy. */
export const environmentSecrets = (environment: NodeJS.ProcessEnv = process.env): Secrets => ({
  get: (name) => Promise.resolve(environment[PREFIX + name]),
});
