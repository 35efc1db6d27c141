/** Random UUIDs (version 4) from the machine's source of randomness. */
import { randomUUID } from 'node:crypto';
import type { Ids } from '../ports/index.js';

export const randomIds: Ids = { uuid: () => randomUUID() };
