/** Ids `0.0.<n>` of topics and tokens that are made here. */
import type { Ids } from '../ports/index.js';

/** Ledgers keep the numbers below for themselves. */
const FIRST = 1000;

/** A whole number of 1000 or more, never given before: the last 48 bits of a new UUID. */
export const entityNumber = (ids: Ids): number => FIRST + Number.parseInt(ids.uuid().slice(-12), 16);

export const entityId = (ids: Ids): string => `0.0.${String(entityNumber(ids))}`;
