/** The approval on Blockwork, in files. */
import { join } from 'node:path';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openEngine } from './blockwork.mjs';

export const open = async ({ folder }) => openEngine(await openLowdbStore({ folder: join(folder, 'data') }));
