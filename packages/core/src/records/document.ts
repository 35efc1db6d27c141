/** Documents that grids list: credentials, presentations, identity documents and approvals. */
import { z } from 'zod';
import { uuid } from './identifiers.js';
import type { JsonObject } from './json/json.js';

/** The collections that a document source can name; every document is in exactly one. */
export const documentCollection = z.enum(['vc-documents', 'vp-documents', 'did-documents', 'approve']);
export type DocumentCollection = z.infer<typeof documentCollection>;

const json = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  message: 'must be an object',
});

/** What an embedder hands in; what is left out is filled in by the engine. */
export const documentInput = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  /** Worked out from the document's `type` when absent. */
  dataType: documentCollection.optional(),
  /** Identity of the owner, normally a DID. */
  owner: z.string().min(1),
  group: uuid.nullish(),
  assignedTo: z.string().nullish(),
  assignedToGroup: uuid.nullish(),
  /** IRI of the schema, `#<uuid>` or `#<uuid>&<version>`. */
  schema: z.string().optional(),
  /** The entity type that the policy's filters ask for. */
  type: z.string().optional(),
  option: json.optional(),
  document: json,
  relationships: z.array(z.string()).optional(),
  messageId: z.string().nullish(),
  topicId: z.string().nullish(),
  hash: z.string().optional(),
  createDate: z.iso.datetime().optional(),
});
export type DocumentInput = z.infer<typeof documentInput>;

/** A stored document. Fields beyond those named here are kept as they came. */
export interface DocumentRecord extends DocumentInput {
  id: string;
  policyId: string;
  dataType: DocumentCollection;
  option: JsonObject;
  createDate: string;
  updateDate: string;
}

/** What a document's `option` became, and when. Written from its first change on, the state before it included. */
export interface DocumentState {
  id: string;
  documentId: string;
  option: JsonObject;
  /** The document's comment then: why it came to this. Absent where it had none. */
  comment?: string;
  created: string;
}
