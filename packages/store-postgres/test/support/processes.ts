/** Nodes that run as processes of their own: each opens the store and adds to a counter that all share. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildProgram } from '../../../../test/support/build-program.js';

/** Builds the program of a node of a cluster into the folder; gives the file to run. */
export const buildClusterNode = (folder: string): Promise<string> =>
  buildProgram(new URL('./cluster-node.ts', import.meta.url), folder);

/** Builds the program of a node into the folder; gives what runs it to its end. */
export async function buildNode(
  folder: string,
): Promise<(address: string, additions: number) => Promise<{ attempts: number }>> {
  const file = await buildProgram(new URL('./node.ts', import.meta.url), folder);
  return async (address, additions) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, address, String(additions)]);
    return JSON.parse(stdout) as { attempts: number };
  };
}
