/** `createTokenBlock`: a user completes the template of a token, and the token is created (reference, sections 9 and 10). */
import {
  defineBlock,
  documentsIn,
  type ErrorDetail,
  heading,
  type Json,
  type JsonObject,
  type LedgerTokenInput,
  passOn,
  type PolicyToken,
  type ReadContext,
  type RunContext,
  shapedLike,
  toDetails,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { asFindings, faultsIn } from './token-options.js';

const name = z.string().trim().min(1).max(100);
const decimals = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(18));

const members = {
  tokenName: name,
  tokenSymbol: name,
  tokenType: z.enum(['fungible', 'non-fungible']),
  decimals,
  changeSupply: z.boolean(),
  enableAdmin: z.boolean(),
  enableFreeze: z.boolean(),
  enableKYC: z.boolean(),
  enableWipe: z.boolean(),
};

/** Members a user can set; others are dropped. */
const tokenDetails = z.object(members).partial();
type TokenDetails = z.infer<typeof tokenDetails>;

const whole = z.object(members).partial().required({ tokenName: true, tokenSymbol: true, tokenType: true });

/** The token, or what it lacks. Tokens that are not fungible are whole. */
export function completedToken(
  written: Readonly<Record<string, unknown>>,
): { readonly token: LedgerTokenInput } | { readonly faults: readonly ErrorDetail[] } {
  const parsed = whole.safeParse(written);
  if (!parsed.success) return { faults: toDetails(parsed.error) };
  const { tokenName, tokenSymbol, tokenType, ...flags } = parsed.data;
  const digits = tokenType === 'non-fungible' ? 0 : (flags.decimals ?? 0);
  const source = { ...(flags as JsonObject), tokenName, tokenSymbol, tokenType, decimals: String(digits) };
  return { token: { tokenName, tokenSymbol, tokenType, decimals: digits, source } };
}

const options = z.strictObject({
  /** `templateTokenTag` of the template. */
  template: tolerant.text,
  /** Create the token from the template alone, without asking the user. */
  autorun: tolerant.flag,
});
type Options = z.infer<typeof options>;

const pendingEntry = z.object({ data: z.json() });

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
    const active = (await ctx.state.get(pendingEntry)) !== undefined;
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, active, data: Object.fromEntries(filled) };
  },

  async receive(ctx, details) {
    const pendingState = await ctx.state.get(pendingEntry);
    if (pendingState === undefined) return ctx.fail('NOTHING_TO_CONFIRM');
    await ctx.state.set(null);
    await create(ctx, pendingState.data, details);
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
  const tokenTemplate = ctx.policy.tokenTemplates.find(({ templateTokenTag }) => templateTokenTag === template);
  const reason = `the policy has no token template "${template}"`;
  return tokenTemplate ?? ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
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
