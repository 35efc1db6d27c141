/** Builds the programs of nodes, to run as separate processes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildProgram } from '../../../../test/support/build-program.js';

/** Bundles the program of a cluster node into the folder; resolves to the file to run. */
export const buildClusterNode = (folder: string): Promise<string> =>
  buildProgram(new URL('./cluster-node.ts', import.meta.url), folder);

/** Bundles the program that pays with bills of its own. */
export const buildHostProgram = (folder: string): Promise<string> =>
  buildProgram(new URL('./host-program.ts', import.meta.url), folder);

/** Bundles the program that adds to the shared counter; resolves to a function that runs it to completion. */
export async function buildNode(
  folder: string,
): Promise<(address: string, additions: number) => Promise<{ attempts: number }>> {
  const file = await buildProgram(new URL('./node.ts', import.meta.url), folder);
  return async (address, additions) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, address, String(additions)]);
    return JSON.parse(stdout) as { attempts: number };
  };
}
