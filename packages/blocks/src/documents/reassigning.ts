/** `reassigningBlock`: reissues a credential, signed by another identity (reference engine, section 7.8). */
import {
  defineBlock,
  documentsIn,
  passOn,
  RELEASE,
  shapedLike,
  tolerant,
  type DocumentInput,
  type PolicyUser,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument, inheritedFrom } from '../common/credential-document.js';
import { kindOf } from '../common/document-kind.js';
import { subjectOf } from '../common/subject.js';

const options = z.object({
  /** The signer: the document's `owner`, the `policyOwner`, otherwise the current user. */
  issuer: tolerant.word('owner', 'policyOwner'),
  /** The user that the run continues as: the document's `owner` or `issuer`; otherwise the current user. */
  actor: tolerant.word('owner', 'issuer'),
});
type Options = z.infer<typeof options>;

interface Signer {
  readonly did: string;
  readonly group: string | null;
}

export const reassigningBlock = defineBlock({
  type: 'reassigningBlock',
  title: 'Reissue',
  description: 'Reissues a credential, signed by the user, the owner or the policy owner.',
  kind: 'server',
  passesOn: true,
  outputs: [RELEASE],
  options,
  on: {
    /** With several documents, the last one determines the user. */
    async RunEvent(ctx, { data }) {
      const documents = documentsIn(data);
      if (documents.length === 0 && !Array.isArray(data)) {
        ctx.fail('DOCUMENT_MISSING');
      }
      const copies: DocumentInput[] = [];
      let user = ctx.user;
      for (const document of documents) {
        await ctx.budget.giveWay();
        const signer = signerFor(ctx, document);
        copies.push(await signedAnew(ctx, document, signer));
        user = await actorFor(ctx, document, signer);
      }
      passOn(ctx, shapedLike(copies, data), user);
    },
  },
});

function signerFor({ options: { issuer }, policy, user }: RunContext<Options>, document: DocumentInput): Signer {
  if (issuer === 'policyOwner') return { did: policy.owner, group: null };
  if (issuer === 'owner') return { did: document.owner, group: document.group ?? null };
  return user;
}

function actorFor(ctx: RunContext<Options>, document: DocumentInput, signer: Signer): PolicyUser | Promise<PolicyUser> {
  const { actor } = ctx.options;
  if (actor === 'owner') return ctx.users.actor('owner', document);
  return actor === 'issuer' ? ctx.users.as(signer.did, signer.group) : ctx.user;
}

/**
 * A new record, not stored yet, that references the old one's message. Evidence is kept. Anything other than a
 * credential, such as a presentation in a list, passes through unchanged.
 */
async function signedAnew(ctx: RunContext<Options>, old: DocumentInput, signer: Signer): Promise<DocumentInput> {
  const subject = subjectOf(old.document);
  if (kindOf(old.document) !== 'vc' || subject === undefined) return old;
  const { evidence } = old.document;
  const credential = await ctx.credentials.issue({
    issuer: signer.did,
    group: ctx.policy.groups.length > 0 ? signer.group : null,
    subject,
    ...(Array.isArray(evidence) && { evidence }),
  });
  return credentialDocument(ctx, credential, {
    ...inheritedFrom(old),
    relationships: old.messageId ? [old.messageId] : [],
  });
}
