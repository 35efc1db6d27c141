/** Ids `0.0.<n>` for topics and tokens created here. */
import type { Ids } from '../ports/index.js';

/** Ledgers reserve the numbers below. */
const FIRST = 1000;

/** A number of at least 1000 that was not used before: the last 48 bits of a new UUID. */
export const entityNumber = (ids: Ids): number => FIRST + Number.parseInt(ids.uuid().slice(-12), 16);

export const entityId = (ids: Ids): string => `0.0.${String(entityNumber(ids))}`;
