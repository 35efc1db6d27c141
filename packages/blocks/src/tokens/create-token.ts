/** `createTokenBlock`: a user completes the template of a token, and the token is created (reference, sections 9 and 10). */
import {
  defineBlock,
  documentsIn,
  heading,
  passOn,
  shapedLike,
  tolerant,
  type Json,
  type JsonObject,
  type PolicyToken,
  type ReadContext,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { asFindings, faultsIn } from './token-findings.js';
import { completedToken, tokenDetails, type TokenDetails } from './token-template.js';

const options = z.strictObject({
  /** `templateTokenTag` of the template. */
  template: tolerant.text,
  /** Create the token from the template alone, without asking the user. */
  autorun: tolerant.flag,
});
type Options = z.infer<typeof options>;

const waiting = z.object({ data: z.json() });

export const createTokenBlock = defineBlock({
  type: 'createTokenBlock',
  title: 'Create token',
  description: 'Lets the user complete the template of a token, creates the token, and records it on the document.',
  kind: 'interface',
  pure: true,
  options,
  input: tokenDetails,
  references: ({ template }) => [{ to: 'tokenTemplate', name: template, path: '/template' }],
  check: (node, { template }) =>
    asFindings(node, faultsIn([[template === '', 'template', 'it is missing. Name a token template of the policy']])),

  /** Omits what the template leaves blank, for the user to fill in. */
  async read(ctx) {
    const template = templateOf(ctx) as Record<string, Json | undefined>;
    const filled = Object.entries(template).filter(([, value]) => !isBlank(value)) as [string, Json][];
    const active = (await ctx.state.get(waiting)) !== undefined;
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, active, data: Object.fromEntries(filled) };
  },

  async receive(ctx, details) {
    const held = await ctx.state.get(waiting);
    if (held === undefined) return ctx.fail('NOTHING_TO_CONFIRM');
    await ctx.state.set(null);
    await create(ctx, held.data, details);
  },

  on: {
    /** The run waits for the user, unless the template is complete. */
    async RunEvent(ctx, { data }) {
      if (documentsIn(data).length === 0) return ctx.fail('DOCUMENT_MISSING');
      if (ctx.options.autorun) await create(ctx, data, {});
      else await ctx.state.set({ data });
    },
  },
});

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function templateOf(ctx: ReadContext<Options>): PolicyToken {
  const { template } = ctx.options;
  const found = ctx.policy.tokenTemplates.find(({ templateTokenTag }) => templateTokenTag === template);
  const reason = `the policy has no token template "${template}"`;
  return found ?? ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
}

/** The template takes precedence over user input. */
async function create(ctx: RunContext<Options>, data: Json, details: TokenDetails): Promise<void> {
  const written = Object.fromEntries(Object.entries(templateOf(ctx)).filter(([, value]) => !isBlank(value)));
  const completed = completedToken({ ...details, ...written });
  if ('faults' in completed) {
    const reason = completed.faults.map(({ path, message }) => `${path} ${message}`).join('; ');
    return ctx.fail('INPUT_INVALID', {
      facts: { reason: `The token is not complete: ${reason}.` },
      details: completed.faults,
    });
  }
  const token = await ctx.ledger.createToken(completed.token);
  const owner = ctx.policy.owner;
  await ctx.ledger.publish({ topic: 'root', type: 'token', owner, body: { ...completed.token, tokenId: token.id } });
  const documents = documentsIn(data).map((document) => {
    const tokens = { ...(document.tokens as JsonObject | undefined), [ctx.options.template]: token.id };
    return { ...document, tokens };
  });
  passOn(ctx, shapedLike(documents, data));
}
