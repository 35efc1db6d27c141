/** `revocationBlock`: revokes documents and all their dependents; a later block stores the result. */
import {
  defineBlock,
  documentsIn,
  finding,
  RELEASE,
  RUN,
  tolerant,
  type DocumentInput,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { documentsWithMessages } from './documents-with-messages.js';
import { revoke } from './revoke.js';

const { flag, text } = tolerant;

const options = z.object({
  /** Reset the source document to its earlier status, so that it can be decided again. */
  updatePrevDoc: flag,
  prevDocStatus: text,
});
type Context = RunContext<z.infer<typeof options>>;

export const revocationBlock = defineBlock({
  type: 'revocationBlock',
  title: 'Revocation',
  description:
    'Revokes documents and all their dependents in the policy, and announces this on the ledger. A later block stores them.',
  kind: 'server',
  children: 'none',
  outputs: [RELEASE],
  options,
  check: (node, { updatePrevDoc, prevDocStatus }) =>
    updatePrevDoc && prevDocStatus === ''
      ? [
          finding(node, {
            path: '/prevDocStatus',
            message: `"${node.tag}" changes the previous document, but prevDocStatus does not say to what.`,
          }),
        ]
      : [],
  on: {
    async RunEvent(ctx, { data }) {
      const given = documentsIn(data);
      if (given.length === 0) {
        ctx.fail('DOCUMENT_MISSING');
      }
      const revoked = new Map<string, DocumentInput>();
      for (const document of given) {
        await ctx.budget.giveWay();
        const key = keyOf(ctx, document);
        if (!revoked.has(key)) for (const each of await revoke(ctx, document)) revoked.set(keyOf(ctx, each), each);
        await returnPrevious(ctx, document);
      }
      ctx.emit(RUN, [...revoked.values()]);
      ctx.emit(RELEASE);
    },
  },
});

const keyOf = (ctx: Context, { id, hash, document }: DocumentInput): string =>
  id ?? hash ?? ctx.credentials.hash(document);

async function returnPrevious(ctx: Context, { relationships = [] }: DocumentInput): Promise<void> {
  const { updatePrevDoc, prevDocStatus } = ctx.options;
  if (!updatePrevDoc) return;
  const previous = (await documentsWithMessages(ctx, relationships)).at(-1);
  if (previous === undefined) return;
  await ctx.documents.update({ ...previous, option: { ...previous.option, status: prevDocStatus } });
}
