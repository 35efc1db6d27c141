/** The server's data folder. */
import { makeFolder } from '@blockwork/core/adapter';

/** Accessible to its owner only, because it holds secrets. */
export const ensureDataFolder = (folder: string): Promise<void> => makeFolder(folder);
