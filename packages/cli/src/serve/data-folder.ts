/** The folder that the server keeps everything in. */
import { makeFolder } from '@blockwork/core/adapter';

/** For its owner only: it holds secrets. */
export const ensureDataFolder = (folder: string): Promise<void> => makeFolder(folder);
