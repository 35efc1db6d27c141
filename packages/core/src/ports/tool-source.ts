/** Finds tools that this engine lacks: in a folder, a registry, or a mirror of a ledger. */
import type { ToolReference } from '../records/index.js';

export interface ToolSource {
  /**
   * The `.tool` file that was published under the message and hash; `undefined` if there is none. Called when a policy
   * that lacks the tool is imported, tried or published, never while it runs. After a rejection the policy stays
   * without the tool, which its findings report. The result is trusted: policies of all owners use it.
   */
  find(tool: ToolReference): Promise<Uint8Array | undefined>;
}
