/** The approval on Blockwork, in PostgreSQL. */
import { openPostgresStore } from '@blockwork/store-postgres';
import { openEngine } from './blockwork.mjs';

export const open = async ({ database }) => openEngine(await openPostgresStore({ address: database }));
