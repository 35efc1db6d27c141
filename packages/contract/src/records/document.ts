/** Documents of a policy, and the chain of trust behind one. */
import { z } from 'zod';
import { component } from '../component.js';
import { explainedBlock } from './explanation.js';
import { json } from './json.js';
import { ledgerEffect, ledgerMessage, messageFacts } from './ledger.js';

export const collections = ['vc-documents', 'vp-documents', 'did-documents', 'approve'] as const;

const content = z.record(z.string(), json);

export const policyDocument = component(
  'PolicyDocument',
  z.looseObject({
    id: z.string(),
    policyId: z.string(),
    dataType: z.enum(collections),
    owner: z.string(),
    schema: z.string().optional().describe('IRI.'),
    type: z.string().optional(),
    option: content.describe('What the policy notes about it, such as `status`.'),
    document: content.describe('The credential or presentation.'),
    relationships: z.array(z.string()).optional().describe('Messages that it builds on.'),
    messageId: z.string().nullish(),
    topicId: z.string().nullish(),
    hash: z.string().optional(),
    createDate: z.string(),
    updateDate: z.string(),
  }),
);

const proof = component(
  'ProofVerdict',
  z.object({ verified: z.boolean(), reason: z.string().describe('Empty if the proof holds.') }),
);

const mints = z.array(ledgerEffect).describe('What was minted for it; of a presentation only.');

export const documentDetails = component(
  'DocumentDetails',
  z.object({
    document: policyDocument,
    proof,
    history: z
      .array(z.object({ option: content, created: z.string(), comment: z.string().optional() }))
      .describe('What `option` was, oldest first.'),
    buildsOn: z.array(ledgerMessage).describe('Messages that it builds on.'),
    usedBy: z.array(ledgerMessage).describe('The first hundred messages that build on it.'),
    mints,
  }),
);

const link = component(
  'TrustLink',
  z.object({
    messageId: z.string().nullable(),
    message: messageFacts.optional(),
    document: policyDocument.optional(),
    proof: proof.optional(),
    signer: z.string().describe('Who signed the document, or sent the message.'),
    roles: z.array(z.string()).describe('What the signer is in the policy today: `OWNER`, and roles.'),
    mints,
    buildsOn: z.array(z.string()).describe('Messages of this chain that it builds on.'),
  }),
);

export const trustChain = component(
  'TrustChain',
  z.object({
    documentId: z.string(),
    links: z.array(link).describe('Oldest first; the document itself is the last.'),
    missing: z.array(z.string()).describe("Messages that are referred to and are not in the policy's book."),
    isComplete: z.boolean().describe('`false` if the chain has more than 200 links.'),
    isTrusted: z.boolean().describe('Complete, nothing is missing, and every proof in it holds.'),
  }),
);

const documentIds = z.array(z.string());

const derivedVariable = component(
  'DerivedVariable',
  z.object({
    name: z.string(),
    by: z.string().describe('Tag of the block that gives it its value.'),
    /** `null` where it has none. */
    value: json,
    from: z
      .object({ documentIds, path: z.string() })
      .optional()
      .describe('Documents that it is taken from, and where in them; absent for what a formula gives.'),
    formula: z.string().optional(),
    uses: z.array(z.string()).optional().describe('The variables that the formula uses.'),
  }),
);

const derivedField = component(
  'DerivedField',
  z.object({
    path: z.string().describe('Into the subject of the document.'),
    variable: z.string().describe('That it has its value from.'),
    /** As it is worked out now; `null` for none. */
    value: json,
    /** What the document has there; `null` for nothing. */
    found: json,
    isSame: z.boolean(),
  }),
);

const blockDerivation = component(
  'BlockDerivation',
  z.object({
    block: explainedBlock,
    sources: z
      .array(z.object({ id: z.string(), type: z.string() }))
      .describe('The documents that it is made from, oldest first, as far as the policy has them.'),
    variables: z.array(derivedVariable).describe('In the order in which they are worked out.'),
    fields: z.array(derivedField),
    script: z.string().optional().describe('JavaScript with the last word on every field; it is not run again.'),
    problem: z.string().optional().describe('Why it cannot be worked out again.'),
  }),
);

export const documentDerivation = component(
  'DocumentDerivation',
  z.object({
    documentId: z.string(),
    entryId: z.string().nullable().describe("Of the journal's entry that added it; `null` if it is not at hand."),
    isRecorded: z
      .boolean()
      .describe('Whether the blocks ran in that unit of work; otherwise they are those that could have made it.'),
    blocks: z.array(blockDerivation).describe('None for a document that nothing calculates.'),
  }),
);
