/** `retirementDocumentBlock`: destroys tokens that an account holds, and gives evidence of it (reference, section 10). */
import {
  amountOf,
  isoNow,
  RUN,
  unitsOf,
  type Block,
  type BlockEvent,
  type BlockNode,
  type Finding,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { sumOf } from './amount-of.js';
import { giveEvidence } from './evidence.js';
import { asFindings, ruleFaults } from './token-findings.js';
import { oneAccountFor, tokenFor } from './token-in-question.js';
import { accountChoice, choiceFaults, rule, tokenChoice } from './token-options.js';
import { trustedDocuments, useUp } from './trusted-documents.js';

const options = z.object({ ...tokenChoice, ...accountChoice, rule, memo: text });
type Options = z.infer<typeof options>;

export class RetirementDocument implements Block<Options> {
  readonly about = {
    type: 'retirementDocumentBlock',
    title: 'Retire',
    description: 'Destroys tokens for documents by a rule, and publishes what they were retired for.',
    kind: 'server',
    children: 'none',
  } as const;
  readonly options = options;

  check(node: BlockNode, written: Options): Finding[] {
    return asFindings(node, [...choiceFaults(written), ...ruleFaults('rule', written.rule)]);
  }

  readonly on = {
    [RUN]: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      const documents = await trustedDocuments(ctx, data);
      await useUp(ctx, documents);
      const token = await tokenFor(ctx, ctx.options, documents[0]);
      const account = await oneAccountFor(ctx, ctx.options, documents);
      const units = unitsOf(sumOf(ctx, ctx.options.rule, documents), token.decimals);
      const amount = amountOf(units, token.decimals);
      const subject = { type: 'WipeToken', date: isoNow(ctx.clock), tokenId: token.id, amount };
      const deed = { type: 'retirement', subject, documents, additional: [], impacts: [] };
      const presentation = await giveEvidence(ctx, deed);
      await ctx.ledger.wipe(token.id, account, units, `${presentation.messageId ?? ''} ${ctx.options.memo}`.trim());
      passOn(ctx, data, await ctx.users.actor('owner', data), presentation as unknown as Json);
    },
  };
}
