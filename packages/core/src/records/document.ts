/** Documents that grids list: credentials, presentations, identity documents and approvals. */
import { z } from 'zod';
import { uuid } from './identifiers.js';
import { isObject, type Json, type JsonObject } from './json/json.js';

/** The collections that a document source can name; every document is in exactly one. */
export const documentCollection = z.enum(['vc-documents', 'vp-documents', 'did-documents', 'approve']);
export type DocumentCollection = z.infer<typeof documentCollection>;

const json = z.custom<JsonObject>(isObject, 'must be an object');

/** A document as an embedder passes it in; the engine fills in what is missing. */
export const documentInput = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  /** Derived from the document's `type` when absent. */
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

/** Documents are JSON, though the type of their further fields does not say so. */
export const asJson = (value: Json | DocumentInput | readonly DocumentInput[]): Json => value as Json;

/** A stored document. Other fields are kept unchanged. */
export interface DocumentRecord extends DocumentInput {
  id: string;
  policyId: string;
  dataType: DocumentCollection;
  option: JsonObject;
  createDate: string;
  updateDate: string;
}

/** History of a document's `option`, written from its first change on and including the state before it. */
export interface DocumentState {
  id: string;
  documentId: string;
  option: JsonObject;
  /** The comment given with this change, if any. */
  comment?: string;
  created: string;
}
