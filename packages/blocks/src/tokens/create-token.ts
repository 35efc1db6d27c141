/** `createTokenBlock`: a user completes the template of a token, and the token is made (reference, sections 9 and 10). */
import {
  RUN,
  type Block,
  type BlockEvent,
  type BlockNode,
  type Finding,
  type Json,
  type JsonObject,
  type PolicyToken,
  type ReadContext,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { asData, documentsIn } from '../common/event-documents.js';
import { heading } from '../common/heading.js';
import { flag, text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { asFindings, blockFindings } from './token-findings.js';
import { completedToken, tokenDetails, type TokenDetails } from './token-template.js';

const options = z.object({
  /** `templateTokenTag` of the template. */
  template: text,
  /** The template says everything: the token is made without asking. */
  autorun: flag,
});
type Options = z.infer<typeof options>;

const waiting = z.object({ data: z.json() });

export class CreateToken implements Block<Options, TokenDetails> {
  readonly about = {
    type: 'createTokenBlock',
    title: 'Create token',
    description: 'Lets its user complete the template of a token, makes the token, and notes it on the document.',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly pure = true;
  readonly options = options;
  readonly input = tokenDetails;

  check(node: BlockNode, { template }: Options): Finding[] {
    return asFindings(node, blockFindings([[template === '', 'template', 'it says which template is meant']]));
  }

  /** What the template leaves blank is left out: the user fills it in. */
  async read(ctx: ReadContext<Options>): Promise<JsonObject> {
    const template = templateOf(ctx) as Record<string, Json | undefined>;
    const filled = Object.entries(template).filter(([, value]) => !isBlank(value)) as [string, Json][];
    const active = (await ctx.state.get(waiting)) !== undefined;
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, active, data: Object.fromEntries(filled) };
  }

  async receive(ctx: RunContext<Options>, details: TokenDetails): Promise<void> {
    const held = await ctx.state.get(waiting);
    if (held === undefined) return ctx.fail('NOTHING_TO_CONFIRM');
    await ctx.state.set(null);
    await create(ctx, held.data, details);
  }

  readonly on = {
    /** The run waits for the user, unless the template says everything. */
    [RUN]: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      if (documentsIn(data).length === 0) return ctx.fail('DOCUMENT_MISSING');
      if (ctx.options.autorun) await create(ctx, data, {});
      else await ctx.state.set({ data });
    },
  };
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function templateOf(ctx: ReadContext<Options>): PolicyToken {
  const { template } = ctx.options;
  const found = ctx.policy.tokenTemplates.find(({ templateTokenTag }) => templateTokenTag === template);
  const reason = `the policy has no token template "${template}"`;
  return found ?? ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
}

/** What the template says wins over what the user says. */
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
  passOn(ctx, asData(documents, data));
}
