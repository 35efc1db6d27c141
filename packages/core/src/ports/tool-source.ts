/** What was published elsewhere: in a folder, a registry, or on a ledger. */
import type { ToolReference } from '../records/index.js';

export interface ToolSource {
  /**
   * The `.tool` file that was published under the message and hash; `undefined` if there is none. Called when a policy
   * that lacks the tool is imported, tried or published, never while it runs. After a rejection the policy stays
   * without the tool, which its findings report. The result is trusted: policies of all owners use it.
   */
  find(tool: ToolReference): Promise<Uint8Array | undefined>;
}

/** A file with the facts that its publisher states about it. */
export interface PublishedFile {
  readonly kind: 'policy' | 'tool' | 'module' | 'schema';
  readonly name: string;
  /** A `.policy`, `.tool` or `.module` file; a schema as JSON, as policies list it (`iri`, `document`, `context` ...). */
  readonly file: Uint8Array;
}

export interface PublicationSource {
  /**
   * What was published under the message; `undefined` if there is none. Rejects, with a message that says why, if the id
   * cannot be one, if the message publishes something else, or if the file cannot be had. The file is not trusted.
   */
  read(messageId: string): Promise<PublishedFile | undefined>;
}
