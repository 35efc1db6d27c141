/** Proof bundles: all that is needed to verify a document or a mint elsewhere. */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from './json.js';
import { messageFacts, units } from './ledger.js';

const content = z.record(z.string(), json);
const digest = z.string().regex(/^[\da-f]{64}$/);

const policy = z.object({
  id: z.string(),
  uuid: z.string(),
  name: z.string(),
  version: z.string(),
  status: z.string(),
  owner: z.string(),
  policyTag: z.string(),
  topicId: z.string(),
  messageId: z.string().describe('The message that published it; empty for none.'),
  definition: content.describe('Its blocks, without options that only its owner may see.'),
  hash: digest.describe('SHA-256 of the canonical JSON of the definition.'),
});

const identity = z.object({
  did: z.string(),
  document: content.optional().describe('Its DID document, with every key it ever signed with here.'),
  keys: z
    .array(
      z.object({
        key: z.string(),
        member: z.string().describe('Who registered it.'),
        createDate: z.string(),
        revokeDate: z.string().optional(),
      }),
    )
    .describe('Keys that members registered for it.'),
});

const role = z.object({
  did: z.string(),
  role: z.string(),
  group: z.string(),
  since: z.string(),
  messageId: z.string().optional().describe('The message of the credential that proves it.'),
});

const bundled = z.object({
  id: z.string(),
  schema: z.string().optional().describe('IRI.'),
  type: z.string().optional(),
  messageId: z.string().optional(),
  relationships: z.array(z.string()).describe('Ids of the messages it builds on.'),
  document: content.describe('The credential or presentation.'),
});

const mint = z.object({
  id: z.string(),
  tokenId: z.string().optional(),
  accountId: z.string().optional(),
  units: units.optional(),
  amount: z.string().optional(),
  serials: z.array(z.array(z.int())).optional().describe('Inclusive ranges.'),
  memo: z.string().optional(),
});

const token = z.object({
  ledgerId: z
    .string()
    .optional()
    .describe('Its id on the external ledger, if the credential of the mint names that one.'),
  id: z.string(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenType: z.string(),
  decimals: z.int(),
  supply: units,
  book: z
    .array(z.object({ id: z.string(), type: z.enum(['mint', 'wipe']), units }))
    .nullable()
    .describe('All mints and wipes, oldest first; `null` if they are too many for a bundle.'),
});

export const proofBundle = component(
  'ProofBundle',
  z.object({
    format: z.literal('blockwork-bundle/1'),
    created: z.string(),
    about: z
      .object({ kind: z.enum(['document', 'mint']), documentId: z.string() })
      .describe('What it proves; for a mint, its presentation.'),
    policy,
    schemas: z.array(
      z.object({
        id: z.string().describe('IRI.'),
        name: z.string(),
        context: z.string().describe('Address of its JSON-LD context; empty for none.'),
        document: content.nullable(),
      }),
    ),
    contexts: z
      .array(z.object({ address: z.string(), document: content }))
      .optional()
      .describe('Contexts of published schemas, for proofs of linked data; absent without such proofs.'),
    identities: z.array(identity),
    roles: z.array(role).describe('The roles of those who signed.'),
    documents: z.array(bundled).describe('What it builds on, and the credentials of roles.'),
    messages: z
      .array(
        messageFacts.extend({
          ledgerId: z.string().optional().describe('Its id on the external ledger, once it is there.'),
        }),
      )
      .describe('The messages of the documents.'),
    mints: z.array(mint).describe('The mints for the document.'),
    tokens: z.array(token),
    missing: z.array(z.string()).describe("Ids of referenced messages that are not in the policy's book."),
    log: z
      .object({
        checkpoint: z.string().describe('A signed note (C2SP `tlog-checkpoint`).'),
        key: z.string().describe('The key that signed it (C2SP `signed-note`).'),
        entries: z.array(
          z.object({
            id: z.string(),
            at: z.string(),
            documents: z.object({
              added: z.array(z.string()),
              changed: z.array(z.string()),
              removed: z.array(z.string()),
            }),
            effects: z.array(z.string()),
            course: digest.describe("SHA-256 of the canonical JSON of the entry's other members."),
            index: z.int().describe('The position of its leaf, from 0.'),
            hashes: z.array(z.string()).describe('From the leaf to the root, in Base64.'),
          }),
        ),
        earlier: z
          .array(
            z.object({
              size: z.int().describe('Number of entries then.'),
              root: z.string().describe('The root then, in Base64.'),
              hashes: z.array(z.string()).describe('They lead to both roots, in Base64.'),
              messageId: z.string().optional().describe("The ledger's message with its checkpoint."),
            }),
          )
          .optional()
          .describe('Earlier states that the log continues.'),
      })
      .optional()
      .describe("Proofs that the journal's log has the entries that added the documents; absent if there is no log."),
    seal: z.object({
      digest: digest.describe('SHA-256 of the canonical JSON of the bundle without its seal.'),
      proof: content
        .optional()
        .describe("Signature of the policy's owner over the digest; absent if the instance lacks the key."),
    }),
  }),
);
