/** Where tools that are not here can be had: a folder, a registry, a mirror of a ledger. */
import type { ToolReference } from '../records/index.js';

export interface ToolSource {
  /**
   * The `.tool` file that was published under the message and hash; `undefined` if there is none. Asked when a policy that
   * lacks the tool is imported, tried or published, never while it runs. After a rejection the policy stays without the
   * tool, as its findings say. What is returned is trusted: policies of all owners use it.
   */
  find(tool: ToolReference): Promise<Uint8Array | undefined>;
}
