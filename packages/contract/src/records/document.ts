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
    option: content.describe('Metadata kept by the policy, such as `status`.'),
    document: content.describe('The credential or presentation.'),
    relationships: z.array(z.string()).optional().describe('Ids of the messages it builds on.'),
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

const mints = z.array(ledgerEffect).describe('Mints triggered by it; presentations only.');

export const documentDetails = component(
  'DocumentDetails',
  z.object({
    document: policyDocument,
    proof,
    history: z
      .array(z.object({ option: content, created: z.string(), comment: z.string().optional() }))
      .describe('Previous values of `option`, oldest first.'),
    buildsOn: z.array(ledgerMessage).describe('Messages it builds on.'),
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
    signer: z.string().describe('The signer of the document or sender of the message.'),
    roles: z.array(z.string()).describe("The signer's current roles in the policy, including `OWNER`."),
    mints,
    buildsOn: z.array(z.string()).describe('Ids of the messages of this chain it builds on.'),
  }),
);

export const trustChain = component(
  'TrustChain',
  z.object({
    documentId: z.string(),
    links: z.array(link).describe('Oldest first; the document itself is the last.'),
    missing: z.array(z.string()).describe("Ids of referenced messages that are not in the policy's book."),
    isComplete: z.boolean().describe('`false` if the chain has more than 200 links.'),
    isTrusted: z.boolean().describe('The chain is complete, no message is missing, and every proof holds.'),
  }),
);

const documentIds = z.array(z.string());

const derivedVariable = component(
  'DerivedVariable',
  z.object({
    name: z.string(),
    by: z.string().describe('Tag of the block that computes it.'),
    /** `null` if it has no value. */
    value: json,
    from: z
      .object({ documentIds, path: z.string() })
      .optional()
      .describe('Source documents and the path within them; absent if a formula computes it.'),
    formula: z.string().optional(),
    uses: z.array(z.string()).optional().describe('Variables used by the formula.'),
  }),
);

const derivedField = component(
  'DerivedField',
  z.object({
    path: z.string().describe('Path within the credential subject.'),
    variable: z.string().describe('The variable that supplies its value.'),
    /** The recomputed value; `null` if there is none. */
    value: json,
    /** The value in the document; `null` if there is none. */
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
      .describe('Source documents the policy has, oldest first.'),
    variables: z.array(derivedVariable).describe('In order of evaluation.'),
    fields: z.array(derivedField),
    script: z.string().optional().describe('JavaScript that may override any field; it is not re-run.'),
    problem: z.string().optional().describe('Why the derivation cannot be recomputed.'),
  }),
);

export const documentDerivation = component(
  'DocumentDerivation',
  z.object({
    documentId: z.string(),
    entryId: z.string().nullable().describe('Id of the journal entry that added it; `null` if not available.'),
    isRecorded: z
      .boolean()
      .describe(
        'Whether the blocks ran in that unit of work; if `false`, they are the blocks that could have produced it.',
      ),
    blocks: z.array(blockDerivation).describe('Empty if no block calculates the document.'),
  }),
);
