/**
 * Ids of new policies: 24 hexadecimal characters, as in the reference, whose web client accepts word characters only.
 */
import type { Ids } from '../ports/index.js';

/** The last 96 bits of a new UUID. */
export const newPolicyId = (ids: Ids): string => ids.uuid().replaceAll('-', '').slice(-24).toLowerCase();
