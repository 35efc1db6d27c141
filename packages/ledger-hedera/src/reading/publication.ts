/** Something that was published on the ledger, with its files. */

/** Everything is as its publisher says, and only the file is proven to be the one that the message names. */
export interface Publication {
  readonly kind: 'policy' | 'tool' | 'module' | 'schema';
  readonly messageId: string;
  readonly topicId: string;
  /** The account that paid for the message. */
  readonly payer: string;
  readonly name: string;
  /** Empty if the message has none. */
  readonly version: string;
  readonly owner: string;
  /** The hash that policies name a tool with; empty for none. */
  readonly hash: string;
  /** Of a schema, that of its JSON Schema. */
  readonly cid: string;
  /** Of the JSON-LD context; only for a schema. */
  readonly contextCid?: string;
  /** A `.policy`, `.tool` or `.module` file; a schema as JSON, as policies list it, with both of its files. */
  readonly file: Uint8Array;
}
