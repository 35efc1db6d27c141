/** What all tools are told, checked. */
import type { FileSystem } from '../files/file-system.js';
import { namingFailures } from '../files/with-store-errors.js';
import { nodeFileSystem } from '../files/node-file-system.js';

export interface ToolOptions {
  /** The store's folder. */
  readonly folder: string;
  /** The machine's files when absent. */
  readonly fileSystem?: FileSystem;
}

export const toolFiles = ({ fileSystem = nodeFileSystem }: ToolOptions): FileSystem => namingFailures(fileSystem);
