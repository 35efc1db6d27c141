/** The options that all tools share. */
import type { FileSystem } from '../files/file-system.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { withStoreErrors } from '../files/with-store-errors.js';

export interface ToolOptions {
  /** The store's folder. */
  readonly folder: string;
  /** Default: the machine's file system. */
  readonly fileSystem?: FileSystem;
}

export const toolFiles = ({ fileSystem = nodeFileSystem }: ToolOptions): FileSystem => withStoreErrors(fileSystem);
